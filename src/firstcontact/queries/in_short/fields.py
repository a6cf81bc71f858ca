"""Queries about a single convex shape and a field in short: as `convexes` and `first` about other things."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.arrival import MAX_ITERATIONS, SEPARATED
from firstcontact.advancement.ask import USUAL, Ask
from firstcontact.answers.proximity_results import Distance
from firstcontact.arrays import Array
from firstcontact.fields.field_points import packed_field
from firstcontact.plain import Makers, once
from firstcontact.proximity.distance.single_distance import N_COLUMNS
from firstcontact.queries.in_short.arrivals import Arrival
from firstcontact.queries.in_short.convexes import Things, measured
from firstcontact.queries.in_short.first import OF_ARRIVALS, SEARCHED, rows_of_vectors, verbs_of
from firstcontact.queries.in_short.meshes import MESH_MAKERS, SWAPPED_MAKERS
from firstcontact.queries.kinds.field_first import MAX_ITERATIONS as MOST_STEPS
from firstcontact.queries.kinds.field_first import (
    BodyAndField,
    features_of,
    places_of,
    pose_body_and_field,
    proven_times,
)
from firstcontact.rigid.fields.field_first import FieldFound
from firstcontact.rigid.fields.field_single import N_COLUMNS as N_FIRST
from firstcontact.rigid.fields.field_single import core_of, field_found_in, first_of_core, measure_core
from firstcontact.rigid.single_first import MAX_ITERATIONS as STEPS
from firstcontact.rigid.single_first import MIN_SEPARATION, TOLERANCE
from firstcontact.shapes.mesh import as_moving


def distance_of_convex_field(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> Distance | None:
    """Measure a convex shape and a field at rest."""
    return _measured(a, rows_a, b, rows_b, MESH_MAKERS, things, ask)


def distance_of_field_convex(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> Distance | None:
    """Measure a field and a convex shape at rest."""
    return _measured(b, rows_b, a, rows_a, SWAPPED_MAKERS, things, ask)


def intersects_of_convex_field(
    a: Any, rows_a: Array, b: Any, rows_b: Array, things: Things, ask: Ask
) -> bool | None:
    """May a convex shape and the shape of a field touch, at rest?"""
    found = _measured(a, rows_a, b, rows_b, MESH_MAKERS, things, ask)
    return None if found is None else bool(found.distance <= 0.0)


def _measured(
    shape: Any, rows_a: Array, field: Any, rows_b: Array, makers: Makers, things: Things, ask: Ask
) -> Distance | None:
    if ask is not USUAL:
        return None
    out = np.empty(N_COLUMNS)
    distance = measure_core(core_of(shape), rows_a, *packed_field(field), rows_b, out)
    return None if distance < 0.0 else measured(makers, distance, out, things)


def _searched(shape: Any, rows_a: Array, field: Any, rows_b: Array, ask: Ask) -> Array | None:
    """What the search found; None where that is left to who is asked at length."""
    if ask is not USUAL and not SEARCHED.issuperset(ask.given()):
        return None
    out = np.zeros(N_FIRST)
    out[TOLERANCE] = -1.0 if ask.tolerance is None else ask.tolerance
    out[MIN_SEPARATION], out[STEPS] = ask.min_separation, ask.max_iterations or MOST_STEPS
    first_of_core(core_of(shape), rows_a, *packed_field(field), rows_b, out)
    return out


class FieldArrival(Arrival):
    """Where the search for a convex shape and a field arrived."""

    @property
    def is_nowhere(self) -> bool:
        """Did it end without a place: apart, or given up?"""
        return self.status in (SEPARATED, MAX_ITERATIONS)

    @once
    def pair(self) -> BodyAndField:
        """Both, as they are posed to the search."""
        a, b = (as_moving(thing) for thing in self.things)
        return pose_body_and_field(a, b, self.ask)

    @once
    def field_found(self) -> FieldFound:
        """What was found, as of a batch of one."""
        return field_found_in(self.out)

    @once
    def upper(self) -> float:
        """Time by which contact is certain."""
        return np.inf if self.is_nowhere else float(proven_times(self.pair, self.field_found)[0])

    @once
    def places(self) -> tuple[Array, Array]:
        """Where they touch, and the normal there; no rows where nothing does."""
        if self.is_nowhere:
            return np.empty((0, 3)), np.empty((0, 3))
        return places_of(self.pair, self.field_found)

    @property
    def features(self) -> NDArray[np.int32]:
        """What touches."""
        if self.is_nowhere:
            return np.empty((0, 3), np.int32)
        return features_of(self.pair, self.field_found)


FIELD_MAKERS: Makers = {
    **OF_ARRIVALS,
    "points": rows_of_vectors(lambda found: found.places[0]),
    "normals": rows_of_vectors(lambda found: found.places[1]),
}

first_of_convex_field, time_of_convex_field, free_of_convex_field = verbs_of(
    _searched, FIELD_MAKERS, FieldArrival
)
