"""What all searches along time share."""
