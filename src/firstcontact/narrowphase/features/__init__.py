"""Vertices, edges and faces of polytopes: walks between them, axes that part them, common points."""
