"""The stories that `firstcontact demo` tells."""
