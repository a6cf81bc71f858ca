"""Many bodies at once: which may touch, which touch first, and when."""
