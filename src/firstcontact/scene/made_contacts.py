"""The contacts of a scene as an answer: what few ask for is made when it is asked for."""

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.answers.answer import about
from firstcontact.answers.contact_results import ContactStats, FirstContact, no_contact
from firstcontact.arrays import Array
from firstcontact.plain import Makers, later
from firstcontact.scene.bodies_then import BodiesThen
from firstcontact.scene.body_names import names_of
from firstcontact.scene.results import SceneContact, SceneContacts, SceneStats
from firstcontact.scene.solving import first_of_pair, normals_out
from firstcontact.scene.state import FirstPair, SceneState
from firstcontact.scene.touching import Touching


def contacts_of(state: SceneState, most: int, ask: Ask) -> SceneContacts:
    """Find all contacts, at most so many; names, and the normals of what overlaps deep, are made later."""
    hits = state.touching(most)
    found, solved = later(SceneContacts, _MAKERS, state, hits), hits.solved
    points = _seen(state, solved.points)
    found.__dict__.update(time=solved.time, points=points, status=solved.status, _ask=ask)
    return about(found, BodiesThen(state.reading))


def _names(state: SceneState, hits: Touching) -> list[tuple[str, str]]:
    return names_of(state.bodies, hits.pairs)


def _ids(state: SceneState, hits: Touching) -> NDArray[np.int64]:
    ids: NDArray[np.int64] = state.bodies.columns.ids[hits.pairs]
    return ids


def _normals(state: SceneState, hits: Touching) -> Array:
    return _seen(state, normals_out(state.bodies, hits.pairs, hits.solved.normals, hits.is_open))


def _seen(state: SceneState, rows: Array) -> Array:
    """Points or vectors with as many coordinates as the scene has."""
    return rows if state.bodies.dimension == 3 else np.ascontiguousarray(rows[:, :2])


def _stats(state: SceneState, _: Touching) -> SceneStats:
    return state.stats()


_MAKERS: Makers = {"names": _names, "ids": _ids, "normals": _normals, "stats": _stats}


def first_contact_of(state: SceneState, ask: Ask) -> SceneContact:
    """Find the earliest contact; its details are found when they are asked for."""
    first, bodies = state.first(), state.bodies
    if first.i < 0:
        return SceneContact(None, None, no_contact(ContactStats()), state.stats())
    found, names = later(SceneContact, _DETAILS, state, first, ask), bodies.names
    two = dict.fromkeys((names[first.i], names[first.j]))
    found.__dict__.update(a=names[first.i], b=names[first.j])
    return about(found, BodiesThen(state.reading, two))


def _contact(state: SceneState, first: FirstPair, ask: Ask) -> FirstContact:
    return first_of_pair(state.bodies, first.i, first.j, ask)


def _counted(state: SceneState, _: FirstPair, __: Ask) -> SceneStats:
    return state.stats()


_DETAILS: Makers = {"contact": _contact, "stats": _counted}
