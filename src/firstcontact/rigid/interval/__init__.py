"""First contacts by interval arithmetic on the motion: what stays apart throughout an interval of time."""
