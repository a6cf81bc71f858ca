"""What commands read and write: files, and poses, shapes and numbers as text."""
