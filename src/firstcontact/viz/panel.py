"""What an answer says, as tables to read."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

import firstcontact as fc

Rows = tuple[tuple[str, str], ...]
Panel = tuple[tuple[str, Rows], ...]


def panel_of(things: Mapping[str, fc.Moving], answer: Any) -> Panel:
    """Tables beside a view: the answer, what the search did, what there is."""
    tables = []
    if answer is not None:
        tables.append(("Answer", tuple(_answer(answer))))
        stats = tuple(_stats(getattr(answer, "stats", None)))
        if stats:
            tables.append(("What the search did", stats))
    if len(things) <= 12:
        tables.append(("Things", tuple((name, _thing(thing)) for name, thing in things.items())))
    return tuple(tables)


def _answer(answer: Any) -> Iterator[tuple[str, str]]:
    contact = answer.contact if isinstance(answer, fc.SceneContact) else answer
    if isinstance(contact, fc.FirstContact):
        yield "status", contact.status.name.replace("_", " ").lower()
        if getattr(answer, "a", None):
            yield "between", f"{answer.a} and {answer.b}"
        if contact:
            yield "time", repr(contact.time)
            yield "proven at", repr(contact.time_upper) if np.isfinite(contact.time_upper) else "—"
            yield "features", _features(contact)
    elif isinstance(answer, fc.Contacts | fc.SceneContacts):
        yield ("contacts" if isinstance(answer, fc.Contacts) else "pairs in contact"), f"{len(answer):,}"
        if len(answer):
            yield "first at", repr(float(answer.time[0]))
    elif isinstance(answer, fc.Distance):
        yield "distance", f"{answer.distance:.12g}"
        if isinstance(answer, fc.RobotDistance):
            yield "between", f"{answer.a} and {answer.b}"
    elif isinstance(answer, fc.Penetration):
        yield "depth", f"{answer.depth:.12g}" if answer else "apart"


def _features(contact: fc.FirstContact) -> str:
    """The first pair of features in words, and how many there are."""
    if len(contact.features) == 0:
        return "—"
    kind, a, b = contact.features[0].tolist()
    one, other = fc.ContactKind(kind).name.lower().split("_")
    words = " and ".join(name if i < 0 else f"{name} {i}" for name, i in ((one, a), (other, b)))
    more = len(contact.features) - 1
    return words + (f", and {more} more" if more else "")


def _stats(stats: Any) -> Iterator[tuple[str, str]]:
    """Counters that are not zero, and the time it took."""
    if not is_dataclass(stats):
        return
    for item in fields(stats):
        value, name = getattr(stats, item.name), item.name.replace("_", " ")
        if item.name == "seconds":
            total = value.get("total", sum(value.values())) if isinstance(value, dict) else value
            yield "took", f"{1e3 * total:.3g} ms" if total < 1.0 else f"{total:.3g} s"
        elif isinstance(value, tuple):
            if value:
                yield name, ", ".join(map(str, value))
        elif np.ndim(value) == 0 and value:
            yield name, f"{value:,}"


def _thing(thing: fc.Moving) -> str:
    """What a thing is, and whether it moves."""
    shape: Any = thing.shape
    if isinstance(shape, fc.Robot):
        return f"robot, {shape.dof} joints"
    motion: Any = thing.motion
    how = "deforms" if hasattr(motion, "frames") else "rests" if motion.is_resting else "moves"
    return f"{_kind(shape)}, {how}"


def _kind(shape: Any) -> str:
    """What a shape is, and of how many parts."""
    if isinstance(shape, fc.Points):
        return f"{shape.n_vertices:,} points"
    if isinstance(shape, fc.Strands):
        return f"{shape.n_strands:,} strands, {len(shape.segments):,} segments"
    if isinstance(shape, fc.Voxels):
        return f"{shape.n_cells:,} voxels"
    return f"mesh, {len(shape.faces):,} triangles" if isinstance(shape, fc.Mesh) else type(shape).__name__
