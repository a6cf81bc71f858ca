"""Queries divided among workers."""
