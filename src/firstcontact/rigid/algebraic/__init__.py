"""First contacts of rotating meshes by algebra: polynomials with integer coefficients, decided exactly."""
