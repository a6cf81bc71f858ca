"""Who answers about which kinds of things: a query, posed to the searches."""
