"""First contact of convex shapes, with each other and with meshes."""
