"""Bodies by their names: what a user gives, and whom a name means."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact._validate import as_name, shown
from firstcontact.queries.look_up import as_body
from firstcontact.scene.bodies import Bodies
from firstcontact.shapes.moving import Moving


def as_bodies(given: Any, named: dict[str, Any]) -> dict[str, Moving]:
    """Accept named things: strings, each once, and moving things or shapes at rest."""
    if not isinstance(given, Mapping):
        raise TypeError(f"bodies must be things by their names; received {type(given).__name__}")
    bodies: dict[str, Moving] = {}
    for name, thing in (*given.items(), *named.items()):
        if as_name("a name", name) in bodies:
            raise ValueError(f"a name must be given once; received {name!r} twice")
        try:
            moving = as_body(thing)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{name!r}: {error}") from None
        if moving.motion.is_batch:
            raise ValueError(
                f"a body of a scene has one motion; {name!r} has a batch of {len(moving.motion)}"
            )
        bodies[name] = moving
    return bodies


def row_named(bodies: Bodies, name: str) -> int:
    """Row of the body with a name."""
    row = bodies.row_of.get(name) if isinstance(name, str) else None
    if row is None:
        raise nobody_named(name, bodies.row_of)
    return row


def nobody_named(name: object, names: Iterable[str]) -> KeyError:
    """What to say where no body has a name."""
    near = get_close_matches(name, list(names), 1) if isinstance(name, str) else ()
    return KeyError(f"no body is named {shown(name)}" + (f"; did you mean {near[0]!r}?" if near else ""))


def id_named(bodies: Bodies, name: str) -> int:
    """Id of the body with a name."""
    return int(bodies.columns.ids[row_named(bodies, name)])


def names_of(bodies: Bodies, pairs: NDArray[np.int32]) -> list[tuple[str, str]]:
    """Names of pairs of rows (m, 2)."""
    names = np.array(bodies.names, object)
    return list(zip(*(names[rows].tolist() for rows in pairs.T), strict=True))
