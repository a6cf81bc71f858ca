"""One motion, or a batch of them: what a query takes."""

from collections.abc import Callable

from firstcontact.advancement.arrival import Found
from firstcontact.advancement.progress import in_parts
from firstcontact.advancement.refining import Motions, Search, first_refined
from firstcontact.motions.law_table import LawTables, law_tables
from firstcontact.motions.rigid_motion import RigidMotion
from firstcontact.shapes.moving import Moving

# What a search made of motions and the tables of their laws.
Follow = Callable[[Motions, LawTables], Found]


def single(thing: Moving, name: str) -> Moving:
    """Accept a thing with one motion."""
    if thing.motion.is_batch:
        raise ValueError(f"{name} has a batch of {len(thing.motion)} motions: use first_contacts")
    return thing


def common_length(a: RigidMotion, b: RigidMotion, what: str) -> int:
    """Length of a batch; where both are one, they must be of the same length."""
    if a.is_batch and b.is_batch and len(a) != len(b):
        raise ValueError(f"batches must have the same length; a has {len(a)} {what} and b has {len(b)}")
    return len(b) if len(a) == 1 else len(a)


def searched(
    motions: Motions, tolerance: float, search: Search[Found], follow: Follow | None, is_shown: bool
) -> Found:
    """Search, in parts where progress is shown, with finer pieces where a motion deviates.

    follow : who makes them in compiled code, of laws that it knows; without, and of others, they come round
        by round
    """

    def part(span: slice) -> Found:
        chosen = motions.chosen(span)
        tables = law_tables(*chosen)
        if follow is None or tables is None:
            return first_refined(chosen, tolerance, search)
        return follow(chosen, tables)

    return in_parts(part, len(motions), is_shown)
