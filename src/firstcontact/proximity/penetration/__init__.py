"""How deep."""
