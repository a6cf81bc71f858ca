"""Fields of distances: adaptive, each with a proven error."""
