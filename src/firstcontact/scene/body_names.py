"""Bodies by their names: what a user gives, and whom a name means."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact._validate import as_name, as_several, shown
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


def as_which(name: str, which: Any) -> Any:
    """Accept names or ids of bodies; a single name stands for itself."""
    if isinstance(which, np.ndarray) and which.ndim > 0:
        return which
    items = as_several(name, (which,) if isinstance(which, str) else which)
    if len(items) > 0 and all(_is_id(item) for item in items):
        return np.array(items, np.int64)
    return items


def _is_id(item: Any) -> bool:
    return isinstance(item, int | np.integer) and not isinstance(item, bool) and abs(int(item)) < 1 << 62


def rows_given(items: Any, bodies: Bodies) -> NDArray[np.int64]:
    """Rows of names, or of an array of ids."""
    if isinstance(items, np.ndarray) and items.dtype.kind in "iu" and items.ndim == 1:
        if bodies.are_all(items):
            return bodies.every_row()
        rows = bodies.rows_of_ids(items.astype(np.int64))
        if (rows < 0).any():
            raise KeyError(f"no body has the id {items[np.argmax(rows < 0)]}")
        return rows
    return np.array([row_named(bodies, name) for name in items], np.int64)


def nobody_named(name: object, names: Iterable[str]) -> KeyError:
    """What to say where no body has a name."""
    near = get_close_matches(name, list(names), 1) if isinstance(name, str) else ()
    return KeyError(f"no body is named {shown(name)}" + (f"; did you mean {near[0]!r}?" if near else ""))


def id_named(bodies: Bodies, name: str) -> int:
    """Id of the body with a name."""
    return int(bodies.columns.ids[row_named(bodies, name)])


def names_of(bodies: Bodies, pairs: NDArray[np.int32]) -> list[tuple[str, str]]:
    """Names of pairs of rows (m, 2)."""
    names = bodies.names
    return [(names[i], names[j]) for i, j in pairs.tolist()]
