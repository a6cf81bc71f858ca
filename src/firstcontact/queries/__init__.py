"""The public verbs: look at what is asked, call the right algorithm, give back a frozen result."""
