"""When meshes are seen to touch, by python-fcl's test of intersection at one pose after the other.

A sampled contact is a witness: a reported time past it is late. That no sample touches proves nothing.
"""

import numpy as np
from numpy.typing import NDArray

from deformable.surfaces import Points
from rigid.models import Model
from rigid.motions import center, poses_at
from rigid.peers import fcl_object, fcl_transform

_N_BISECTIONS = 40  # of an interval between two samples, down to the spacing of doubles


class Oracle:
    """Two meshes, B at the origin."""

    def __init__(self, a: Model, b: Model) -> None:
        import fcl

        self._a, self._b, self._middle = fcl_object(a), fcl_object(b), center(a)
        self._collide, self._request = fcl.collide, fcl.CollisionRequest()
        self._result = fcl.CollisionResult

    def touching(self, poses: Points) -> NDArray[np.bool_]:
        """In which of the poses (n, 4, 4) triangles of A and B intersect."""
        return np.array([self._is_touching(pose) for pose in poses], bool)

    def witnessed(self, starts: Points, ends: Points, n_samples: int) -> Points:
        """A time (n,) of contact of each motion, the first that the samples lead to; infinite without any."""
        times = np.linspace(0.0, 1.0, n_samples + 1)
        return np.array([self._first(*motion, times) for motion in zip(starts, ends, strict=True)])

    def _first(self, start: Points, end: Points, times: Points) -> float:
        ends = (np.broadcast_to(pose, (len(times), 4, 4)) for pose in (start, end))
        poses = poses_at(*ends, self._middle, times)
        hit = next((i for i, pose in enumerate(poses) if self._is_touching(pose)), None)
        if not hit:
            return np.inf if hit is None else 0.0
        low, high = times[hit - 1], times[hit]
        for _ in range(_N_BISECTIONS):
            middle = 0.5 * (low + high)
            [pose] = poses_at(start[None], end[None], self._middle, np.array([middle]))
            low, high = (low, middle) if self._is_touching(pose) else (middle, high)
        return float(high)

    def _is_touching(self, pose: Points) -> bool:
        self._a.setTransform(fcl_transform(pose))
        return self._collide(self._a, self._b, self._request, self._result()) > 0
