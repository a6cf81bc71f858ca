"""What there is to see of a thing, a scene or an answer."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

import firstcontact as fc
from firstcontact.arrays import Array
from firstcontact.times import time_text
from firstcontact.viz.bodies_of import bodies_of, curve_of
from firstcontact.viz.panel import Panel, panel_of
from firstcontact.viz.patches import patches_of
from firstcontact.viz.view import Moment, ShownBody, ShownPatch, View

# Contacts of a step after the first come up in so many groups, one after the other.
N_GROUPS = 24

# For how long, before and after the time at which two are nearest, the line between them is shown.
NEARBY = 0.01

NO_NAMES: Mapping[str, str] = MappingProxyType({})


class Subject(NamedTuple):
    """What is to be shown: things by their names, and the answer about them, if there is one."""

    things: dict[str, fc.Moving]
    answer: Any


def view_of(
    what: Any,
    title: str | None = None,
    *,
    names: Mapping[str, str] = NO_NAMES,
    times: ArrayLike = (),
) -> View:
    """Gather what there is to see.

    Parameters
    ----------
    what : something that moves or rests, several by their names, a `Scene`, an answer about them, or a view
    title : a line above it; what the answer says of itself unless given
    names : other names for things, by those that they have, as {"a": "hammer", "b": "anvil"}
    times : at which the bodies are to be exact, besides those of contacts
    """
    if isinstance(what, View):
        if names:
            raise ValueError("a View has names of its own: leave names out")
        return what if title is None else replace(what, title=title)
    things, answer = subject_of(what)
    if is_in_plane(things):
        raise TypeError("this shows things in space; plot draws those in the plane")
    check_words(title, names, things)
    title, names = title and _whole(title), {name: _whole(other) for name, other in names.items()}
    stop = stop_of(answer)
    own = [t for t in (stop, *_group_times(answer)) if t is not None]
    bodies = bodies_of(things, np.array([*own, *np.atleast_1d(np.asarray(times, float))]))
    moments = _moments(answer, bodies)
    called = tuple(_called(body, names) for body in bodies)
    line = title if title is not None else title_of(things, answer, names)
    panel: Panel = panel_of({names.get(name, name): thing for name, thing in things.items()}, answer)
    return View(line, called, moments, panel, stop)


def check_words(title: Any, names: Any, things: Mapping[str, fc.Moving]) -> None:
    """Refuse a title that is no text, and names that are none, of nothing, or the same."""
    if title is not None and not isinstance(title, str):
        raise TypeError(f"title must be a text; received {type(title).__name__}")
    if not isinstance(names, Mapping):
        raise TypeError(f"names must be a mapping of names to others; received {type(names).__name__}")
    for name, other in names.items():
        if name not in things:
            raise ValueError(f"names must be of things that are there, {list(things)}; received {name!r}")
        if not isinstance(other, str):
            raise TypeError(f"names must be texts; received {type(other).__name__} for {name!r}")
    called = [names.get(name, name) for name in things]
    if len(set(called)) < len(called):
        raise ValueError(f"names must differ from each other; received {called[:8]}")


def subject_of(what: Any) -> Subject:
    """See what is meant; what cannot be shown is told in a `TypeError` or a `ValueError`."""
    if isinstance(what, fc.Scene):
        answer = what.first_contact()
        things = what.things | answer.things  # a thread may have changed the scene in between
    elif isinstance(what, Mapping):
        things, answer = {_whole(str(name)): _as_moving(thing) for name, thing in what.items()}, None
    elif isinstance(what, fc.SweptVolume):
        things, answer = what.things | {"sweep": what.mesh.at(np.eye(4))}, None
    elif isinstance(getattr(what, "things", None), Mapping):
        things, answer = what.things, what
        if isinstance(what, fc.Intersections) and not is_in_plane(things):
            things |= curve_of(what)
        if not things:
            kind = type(what).__name__
            raise ValueError(f"this {kind} is about nothing that can be shown; a Scene can be, whole")
    else:
        thing = _as_moving(what)
        things, answer = {_kind(thing): thing}, None
    for name, thing in things.items():
        if getattr(thing.motion, "is_batch", False):
            raise ValueError(f"{name!r} is a batch of motions; ask about one of them, and show that")
    return Subject(dict(things), answer)


def is_in_plane(things: Mapping[str, Any]) -> bool:
    """Are things in the plane? Some in it and some in space are refused."""
    shapes = {name: thing.shape if isinstance(thing, fc.Moving) else thing for name, thing in things.items()}
    flat = [name for name, shape in shapes.items() if isinstance(shape, fc.Polygon | fc.Polyline)]
    if 0 < len(flat) < len(shapes):
        other = next(name for name in shapes if name not in flat)
        raise ValueError(f"{flat[0]!r} is in the plane and {other!r} is not: show them one by one")
    return len(flat) > 0


def _whole(text: str) -> str:
    """Give half of a surrogate pair, as names of files may have, as its number: no page takes it."""
    return text.encode("utf-8", "backslashreplace").decode()


def _as_moving(thing: Any) -> fc.Moving:
    if isinstance(thing, fc.Moving):
        return thing
    if hasattr(thing, "link_poses"):
        raise TypeError("a robot needs a configuration: robot.at(q), moving(q0, q1) or along(waypoints)")
    if hasattr(thing, "moving") and not isinstance(thing, type):
        found: fc.Moving = thing.at(np.eye(3 if isinstance(thing, fc.Polygon | fc.Polyline) else 4))
        return found
    if hasattr(thing, "vertices") and hasattr(thing, "faces"):
        return fc.Mesh.from_trimesh(thing).at(np.eye(4))
    kind = type(thing).__name__
    raise TypeError(f"what is shown must be a thing, several by name, a Scene or an answer; received {kind}")


def _kind(thing: fc.Moving) -> str:
    return str(getattr(thing.shape, "name", type(thing.shape).__name__.lower()))


def _called(body: ShownBody, names: Mapping[str, str]) -> ShownBody:
    """A body by another name."""
    thing = names.get(body.thing, body.thing)
    return replace(body, thing=thing, name=thing if body.name == body.thing else body.name)


def title_of(things: Mapping[str, fc.Moving], answer: Any, names: Mapping[str, str]) -> str:
    """The answer in a line, or the names of what there is."""
    if isinstance(answer, fc.FirstContact | fc.SceneContact):
        both = [names.get(name, name) for name in _names(answer)]
        who = f"{both[0]} with itself" if len(set(both)) == 1 else " and ".join(both)
        return f"First contact of {who} at t = {time_text(answer.time)}" if answer else "No contact"
    if isinstance(answer, fc.Contacts | fc.SceneContacts):
        return "1 contact" if len(answer) == 1 else f"{len(answer):,} contacts"
    if isinstance(answer, fc.Distance | fc.Penetration):
        return _measured(answer, " and ".join(names.get(name, name) for name in _names(answer)))
    if isinstance(answer, fc.Clearance):
        who = " and ".join(names.get(name, name) for name in _names(answer))
        return f"Clearance of {who}: {answer.distance_lower:.6g}, proven, and {answer.distance:.6g}"
    if answer is not None:
        return repr(answer)
    return ", ".join([names.get(name, name) for name in things][:4]) + (", …" if len(things) > 4 else "")


def _measured(answer: fc.Distance | fc.Penetration, who: str) -> str:
    """How far two are apart, or how deep in each other."""
    if isinstance(answer, fc.Distance):
        return f"Distance of {who}: {answer.distance:.6g}"
    return f"Depth of {who} in each other: {answer.depth:.6g}" if answer else f"{who} are apart"


def _names(answer: Any) -> list[str]:
    """Names of the two that an answer is about; one alone where it touches itself."""
    pair = [name for side in "ab" if (name := getattr(answer, side, None))]
    if not pair and isinstance(answer, fc.FirstContact) and len(answer.thing_ids) > 0:
        return _pair_names(answer, answer.thing_ids[0])
    return pair or list(answer.things)[:2]


def _pair_names(answer: Any, pair: NDArray[np.integer]) -> list[str]:
    """Names of two of the things that an answer is about, by their places."""
    names = list(answer.things)
    return [names[min(place, len(names) - 1)] for place in pair.tolist()]


def _patches_of_pairs(
    answer: fc.FirstContact | fc.Contacts,
    features: NDArray[np.integer],
    rows: slice,
    time: float,
    bodies: tuple[ShownBody, ...],
) -> tuple[ShownPatch, ...]:
    """Features in contact, of each pair of things that touch in some rows."""
    points, things = answer.points[rows], answer.thing_ids[rows]
    patches: list[ShownPatch] = []
    for pair in np.unique(things, axis=0):
        own = (things == pair).all(axis=1)
        patches += patches_of(features[own], points[own], time, _pair_names(answer, pair), bodies)
    return tuple(patches)


def stop_of(answer: Any) -> float | None:
    """When the first contact is, where there is one."""
    if isinstance(answer, fc.FirstContact | fc.SceneContact):
        return float(answer.time) if answer else None
    if isinstance(answer, fc.Contacts | fc.SceneContacts):
        return float(answer.time[0]) if len(answer) else None
    return float(answer.time) if isinstance(answer, fc.Clearance) else None


def _group_times(answer: Any) -> Array:
    """Times at which contacts of a step come up."""
    if not isinstance(answer, fc.Contacts | fc.SceneContacts):
        return np.empty(0)
    return answer.time[_groups(answer.time)[:-1]]


def _groups(times: Array) -> NDArray[np.int64]:
    """Rows at which groups of contacts begin, and how many there are; the first are those at one time."""
    n = len(times)
    first = int(np.searchsorted(times, times[0], side="right")) if n else 0
    return np.unique([0, *np.linspace(first, n, min(n - first, N_GROUPS) + 1).astype(np.int64)])


def _moments(answer: Any, bodies: tuple[ShownBody, ...]) -> tuple[Moment, ...]:
    """What happens according to an answer."""
    if isinstance(answer, fc.FirstContact | fc.SceneContact):
        return _first(answer, bodies) if answer else ()
    if isinstance(answer, fc.Contacts | fc.SceneContacts):
        return _in_groups(answer, bodies)
    if isinstance(answer, fc.Clearance) and np.isfinite(answer.points).all():
        t = float(answer.time)
        ends, near = answer.points, (max(t - NEARBY, 0.0), min(t + NEARBY, 1.0))
        return (Moment(*near, points=ends, segments=ends[np.newaxis], label="closest"),)
    if isinstance(answer, fc.Distance | fc.Penetration):
        ends = np.stack([answer.points_a, answer.points_b])
        if np.isfinite(ends).all():
            return (Moment(0.0, 1.0, points=ends, segments=ends[np.newaxis], label="closest"),)
    return ()


def _first(answer: fc.FirstContact | fc.SceneContact, bodies: tuple[ShownBody, ...]) -> tuple[Moment, ...]:
    one = answer.contact if isinstance(answer, fc.SceneContact) else answer
    if isinstance(answer, fc.SceneContact) or hasattr(answer, "a"):  # they know the names of their pair
        patches = patches_of(one.features, one.points, one.time, _names(answer), bodies)
    else:
        patches = _patches_of_pairs(answer, one.features, np.s_[:], one.time, bodies)
    return (Moment(one.time, 1.0, one.points, one.normals, patches=patches, label="first contact"),)


def _in_groups(answer: fc.Contacts | fc.SceneContacts, bodies: tuple[ShownBody, ...]) -> tuple[Moment, ...]:
    moments, rows = [], _groups(answer.time)
    for first, last in zip(rows[:-1].tolist(), rows[1:].tolist(), strict=True):
        time, points = float(answer.time[first]), answer.points[first:last]
        patches: tuple[ShownPatch, ...] = ()
        if first == 0 and isinstance(answer, fc.Contacts):
            features = np.stack([answer.kind, answer.ids_a, answer.ids_b], axis=1)[first:last]
            patches = _patches_of_pairs(answer, features, np.s_[first:last], time, bodies)
        label = "first contact" if first == 0 else f"{last:,} contacts"
        moments.append(Moment(time, 1.0, points, answer.normals[first:last], patches=patches, label=label))
    return tuple(moments)
