"""The commands, each in a file of its name, and what only one of them needs."""
