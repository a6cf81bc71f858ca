"""Every vertex on a chain of straight lines, from frame to frame."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from firstcontact.arrays import Array
from firstcontact.motions.deformation import Deformation
from firstcontact.plain import Sealed, once


class DeformationStep(NamedTuple):
    """From one frame to the next: when it starts and ends, and where vertices go meanwhile."""

    start: float
    end: float
    deformation: Deformation


@dataclass(frozen=True, eq=False, repr=False)
class SteppedDeformation(Sealed):
    """Vertices that are at each time where a frame has them, and go straight in between, each on its own.

    Attributes
    ----------
    frames : (k, n, 3) float64, two or more
    times : (k,) float64, increasing from 0 to 1
    """

    frames: Array
    times: Array
    is_batch: ClassVar[bool] = False

    def __len__(self) -> int:
        return 1

    @once
    def is_resting(self) -> bool:
        """Does nothing move at all?"""
        return bool((self.frames == self.frames[0]).all())

    def steps(self) -> Iterator[DeformationStep]:
        """Give one step after the other."""
        for k in range(len(self.times) - 1):
            yield self.step(k)

    def step(self, k: int) -> DeformationStep:
        """Give step k."""
        start, end = self.times[k : k + 2].tolist()
        return DeformationStep(start, end, Deformation(self.frames[k], self.frames[k + 1]))

    def step_at(self, t: float) -> DeformationStep:
        """Give the step that a time lies in; of two that meet, the later one."""
        last = len(self.times) - 2
        return self.step(min(int(np.searchsorted(self.times, t, side="right")) - 1, last))

    def vertices(self, t: float) -> Array:
        """Positions at t, (n, 3); at the time of a frame exactly those of the frame."""
        start, end, deformation = self.step_at(t)
        return deformation.vertices((t - start) / (end - start))

    def __repr__(self) -> str:
        ways = np.diff(self.frames, axis=0)
        farthest = float(np.sqrt(np.max(np.einsum("kij,kij->ki", ways, ways), initial=0.0)))
        n_frames, n = self.frames.shape[:2]
        return f"SteppedDeformation({n} vertices, {n_frames} frames, by up to {farthest:.4g} a step)"
