"""A cloth thrown over a ball, simulated step by step: every contact is found, and none is let happen.

Positions are moved by constraints (position-based dynamics): springs keep their lengths, and what comes too
close is pushed apart. A step counts only once it is proven to be free of contact.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import firstcontact as fc
from firstcontact.cli.compiling.flat_sheet import flat_sheet
from firstcontact.cli.demo.pushes import Pushes
from firstcontact.cli.demo.solids import joined
from firstcontact.cli.demo.springs import Springs, springs_of

Points = NDArray[np.float64]

_STEP = 1.0 / 60.0  # seconds
_GRAVITY = np.array([0.0, 0.0, -9.81])
_KEPT = 0.98  # share of the velocity that the air leaves, a step

# The distance to which things are pushed apart, and that which is proven to be kept at all times.
THICKNESS = 0.014
NEVER_LESS = 0.25 * THICKNESS

_FIRST_PULLS, _PULLS = 4, 8  # over all springs, before the contacts are known and after
_ROUNDS = 4  # of pushing apart, before what is still too close has to stay where it is

_WIDTH = 2.2
_RADIUS = 0.32
_THROW, _SPIN = np.array([1.2, 0.5, -0.6]), np.array([0.0, 0.0, 3.0])


class DrapingStep(NamedTuple):
    """A step of the cloth.

    Attributes
    ----------
    cloth : where its vertices are after the step
    contacts : those that the step would have had, and does not have
    seconds : what each question about it took
    n_held : vertices that had to stay where they were
    """

    cloth: Points
    contacts: fc.Contacts
    seconds: tuple[float, ...]
    n_held: int


@dataclass(frozen=True)
class Draping:
    """The cloth, of n_side x n_side quads, and the ball."""

    n_side: int

    @cached_property
    def cloth(self) -> fc.Mesh:
        """Tilted and a little wavy, as from two hands, so that no fold is the mirror image of another."""
        flat, faces = flat_sheet(self.n_side)
        x, y = 0.5 * _WIDTH * flat[:, 0], 0.5 * _WIDTH * flat[:, 1]
        z = 0.62 + 0.22 * x + 0.02 * np.sin(5.0 * y + 1.0) + 0.015 * np.sin(4.0 * x)
        return fc.Mesh(np.stack([x - 0.45, y - 0.15, z], axis=1), faces)

    @cached_property
    def ball(self) -> fc.Mesh:
        """It stays where it is."""
        import trimesh

        return fc.Mesh.from_trimesh(trimesh.creation.icosphere(subdivisions=3, radius=_RADIUS))

    @cached_property
    def mesh(self) -> fc.Mesh:
        """Both as one, the cloth first: its contacts with itself are all there are."""
        return joined([self.cloth, self.ball])

    @cached_property
    def springs(self) -> list[Springs]:
        """What holds the cloth together."""
        return springs_of(self.n_side, _WIDTH)

    def is_with_ball(self, contacts: fc.Contacts) -> NDArray[np.bool_]:
        """Which of these contacts are with the ball?"""
        found: NDArray[np.bool_] = contacts.vertex_ids.max(axis=1, initial=0) >= self.cloth.n_vertices
        return found

    def steps(self, n_steps: int) -> Iterator[DrapingStep]:
        """Throw the cloth, and go on step by step."""
        places, n = self.mesh.vertices, self.cloth.n_vertices
        velocities = np.zeros_like(places)
        velocities[:n] = _THROW + np.cross(_SPIN, places[:n] - places[:n].mean(axis=0))
        for _ in range(n_steps):
            proposed = places + _STEP * velocities
            proposed[:n] += _STEP**2 * _GRAVITY
            ahead, step = self._resolved(places, proposed)
            velocities = _KEPT * (ahead - places) / _STEP
            places = ahead
            yield step

    def _resolved(self, places: Points, ahead: Points) -> tuple[Points, DrapingStep]:
        """Change a step until it is free of contact."""
        n, seconds = self.cloth.n_vertices, []

        def ask(separation: float) -> fc.Contacts:
            started = perf_counter()
            move = self.mesh.deforming(places, ahead)  # from where the last step ended free
            found = fc.contacts(move, min_separation=separation, assume_free_start=True)
            seconds.append(perf_counter() - started)
            return found

        self._pull(ahead, _FIRST_PULLS)
        near = late = ask(THICKNESS)
        pushes = []
        for _ in range(_ROUNDS):
            pushes.append(Pushes.of(late, n, THICKNESS))
            for _ in range(_PULLS):
                self._pull(ahead, 1)
                for push in pushes:
                    push.apply(places, ahead)
            late = ask(NEVER_LESS)
            if len(late) == 0:
                break
        is_held = np.zeros(len(places), bool)
        while len(late) > 0:  # ends, since what stays where it is touches nothing
            is_held[late.vertex_ids] = True
            ahead[is_held] = places[is_held]
            late = ask(NEVER_LESS)
        return ahead, DrapingStep(ahead[:n], near, tuple(seconds), int(is_held[:n].sum()))

    def _pull(self, places: Points, n: int) -> None:
        for _ in range(n):
            for springs in self.springs:
                springs.pull(places)
