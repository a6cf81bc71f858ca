"""What things are."""
