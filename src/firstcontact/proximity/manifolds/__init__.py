"""All points at which bodies that touch face each other."""
