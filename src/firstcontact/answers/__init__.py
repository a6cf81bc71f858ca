"""The frozen results of queries."""
