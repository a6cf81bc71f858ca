"""Certificates: proofs that a path is free, and their check."""
