"""The contacts of a scene as an answer: what few ask for is made when it is asked for."""

from firstcontact.advancement.ask import Ask
from firstcontact.answers.answer import about
from firstcontact.arrays import Array
from firstcontact.plain import Makers, later
from firstcontact.scene.bodies import Reading
from firstcontact.scene.bodies_then import BodiesThen
from firstcontact.scene.body_names import names_of
from firstcontact.scene.results import SceneContacts
from firstcontact.scene.solving import normals_out
from firstcontact.scene.state import SceneState, Touching


def contacts_of(state: SceneState, most: int, ask: Ask) -> SceneContacts:
    """Find all contacts, at most so many; names, and the normals of what overlaps deep, are made later."""
    hits = state.touching(most)
    found = later(SceneContacts, _MAKERS, state.reading, hits)
    found.__dict__.update(
        ids=state.bodies.columns.ids[hits.pairs],
        time=hits.solved.time,
        points=hits.solved.points,
        status=hits.solved.status,
        stats=state.stats(),
        _ask=ask,
    )
    return about(found, BodiesThen(state.reading))


def _names(reading: Reading, hits: Touching) -> list[tuple[str, str]]:
    return names_of(reading.bodies, hits.pairs)


def _normals(reading: Reading, hits: Touching) -> Array:
    return normals_out(reading.bodies, hits.pairs, hits.solved.normals, hits.is_open)


_MAKERS: Makers = {"names": _names, "normals": _normals}
