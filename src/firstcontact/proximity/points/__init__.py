"""Where points are: how far from things, and on which side."""
