"""Events of a scene: the next contact, on a queue that is kept."""
