"""A batch spread over workers: cut into parts, sent, worked on, and put together again, in order."""
