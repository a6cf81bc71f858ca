"""Points as kernels take them."""


def as_tuples(points):
    """Tuples of floats, one for each point."""
    return tuple(tuple(map(float, point)) for point in points)
