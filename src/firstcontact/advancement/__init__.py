"""What every search along time shares."""
