"""How far a body is from a half-space, by how far it reaches against the normal."""

import numpy as np


def gap(half_space, body, t):
    """Gap of two moving things at a time; below 0, how deep the body is."""
    (here, there) = (thing.pose(t) for thing in (half_space, body))
    normal = here[:3, :3] @ half_space.shape.normal
    down = -(there[:3, :3].T @ normal)
    least = normal @ there[:3, 3] - body.shape.support(down[np.newaxis])[0]
    return least - half_space.shape.offset - normal @ here[:3, 3]
