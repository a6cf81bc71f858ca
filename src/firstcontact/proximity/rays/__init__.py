"""Where rays meet things."""
