"""Vertex-face and edge-edge queries of moving points: filters, roots, inclusion, ties, exact arithmetic."""
