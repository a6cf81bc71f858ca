"""How features lie that touch: sides, directions, and what is pierced."""
