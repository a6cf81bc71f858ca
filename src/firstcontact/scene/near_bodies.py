"""All pairs of a scene's bodies within a distance, as they stand."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact._validate import as_length
from firstcontact.advancement.ask import Ask
from firstcontact.answers.answer import about
from firstcontact.answers.near_results import NearPairs
from firstcontact.queries.kinds.near_resting import near_pairs, origins_of, pose_gradients
from firstcontact.queries.kinds.planar_near import planar_near
from firstcontact.queries.kinds.signed_pair import Signed, nothing_near, signed_pair, still
from firstcontact.scene.bodies import Bodies, Reading
from firstcontact.scene.filters import Filters
from firstcontact.scene.nearest_pair import pairs_within
from firstcontact.shapes.bounded import bounded


class NearBodies:
    """What a scene says of bodies that are near each other."""

    _now: Callable[[Callable[[Bodies], Any]], Any]
    _filters: Any

    def near(self, *, within: float) -> NearPairs:
        """All pairs of bodies within a distance: how far apart or how deep in each other, with gradients.

        As `firstcontact.near` of each two that are not ignored, in the order of their arrival; by their names
        in `a` and `b`. All bodies must stand still.

        Parameters
        ----------
        within : a length: pairs that are farther apart are left out

        Examples
        --------
        >>> from firstcontact import Box, Scene, Sphere
        >>> scene = Scene(floor=Box([9, 9, 2]), moon=Sphere(1).at((np.eye(3), [0, 0, 60])))
        >>> scene.add("ball", Sphere(1).at((np.eye(3), [0, 0, 1.75])))
        >>> found = scene.near(within=1)
        >>> found.a, found.b, found.distance.tolist()
        (['floor'], ['ball'], [-0.25])
        >>> len(Scene().near(within=1))
        0
        """
        asked = as_length("within", within)

        def now(bodies: Bodies) -> tuple[Reading, NDArray[np.float64], Filters]:
            filters = self._filters.snapshot().with_strangers(bodies.fitted_half_spaces())
            return bodies.reading(), bodies.boxes(np.zeros(bodies.n_rows)), filters

        reading, boxes, filters = self._now(now)
        return _near_bodies(reading.bodies, boxes, filters, asked)


def _near_bodies(bodies: Bodies, boxes: NDArray[np.float64], filters: Filters, within: float) -> NearPairs:
    """Measure the pairs whose boxes are within the distance."""
    for name, row in bodies.row_of.items():
        if not bodies.thing(row).motion.is_resting:
            raise ValueError(f"near is for one instant, and {name!r} moves: use .at(pose)")
    pairs = pairs_within(bodies, boxes, filters, within)
    if bodies.dimension == 2:
        return about(_near_in_plane(bodies, pairs.tolist(), within), bodies.things())
    found, origins = nothing_near(len(pairs)), np.zeros((2, len(pairs), 3))
    for k, (i, j) in enumerate(pairs.tolist()):
        names = bodies.names[i], bodies.names[j]
        things = bounded(bodies.thing(i), bodies.thing(j))
        one, other = (still(name, thing) for name, thing in zip(names, things, strict=True))
        found.put(slice(k, k + 1), signed_pair(one, other, within))
        origins[0, k], origins[1, k] = origins_of(one, 1)[0], origins_of(other, 1)[0]
    is_near = found.distance <= within
    signed: Signed = found.chosen(is_near)
    sides = [bodies.names[i] for i in pairs[is_near, 0]], [bodies.names[j] for j in pairs[is_near, 1]]
    gradient = pose_gradients(signed, origins[:, is_near])
    rows = np.zeros(len(signed.distance), np.intp)
    return about(near_pairs(rows, 1, sides, signed, gradient), bodies.things())


def _near_in_plane(bodies: Bodies, pairs: list[list[int]], within: float) -> NearPairs:
    """Measure pairs of bodies of the plane, one by one."""
    ask, nothing = Ask(within=within), np.empty((3, 0, 2))
    columns = [(np.empty(0), *nothing, np.empty((0, 2, 3)))]
    sides: tuple[list[str], list[str]] = ([], [])
    for i, j in pairs:
        found = planar_near(bodies.thing(i), bodies.thing(j), ask)
        if len(found) > 0:
            rows = found.distance, found.points_a, found.points_b, found.normals
            columns.append((*rows, found.gradient))
            for names, k in zip(sides, (i, j), strict=True):
                names.append(bodies.names[k])
    *signed, gradient = (np.concatenate(column) for column in zip(*columns, strict=True))
    return near_pairs(np.zeros(len(gradient), np.intp), 1, sides, Signed(*signed), gradient)
