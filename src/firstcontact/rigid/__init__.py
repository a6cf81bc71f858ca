"""First contact of rigid bodies."""
