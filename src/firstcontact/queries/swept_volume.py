"""What a moving thing passes through."""

from collections.abc import Iterable
from typing import Any, NamedTuple, cast

from firstcontact._validate import as_choice, as_count, as_flag, as_name, as_several, as_size
from firstcontact.advancement.ask import Ask
from firstcontact.answers.answer import about
from firstcontact.answers.sweep_results import SweptVolume
from firstcontact.articulated.model.kinematic_tree import unknown
from firstcontact.articulated.model.robot import Robot
from firstcontact.progress_bar import counted
from firstcontact.queries.look_up import refuse, row_alone
from firstcontact.queries.registry import NOTHING
from firstcontact.shapes.mesh import as_moving
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.sweeping.lattice import Limits
from firstcontact.sweeping.surfaces import inner_surface, outer_surface
from firstcontact.sweeping.sweep_prisms import sweep_of
from firstcontact.sweeping.sweep_size import sweep_size

ELEMENTS, CAPSULES = "elements", "capsules"

# The usual tolerance, as a part of the longest side of a box around the sweep.
USUAL_TOLERANCE = 1.0 / 64.0

# Cells of a surface unless more are allowed: some 1 GB.
MOST_CELLS = 1 << 21


class Wanted(NamedTuple):
    """What is asked of a sweep, checked."""

    tolerance: float | None
    is_inner: bool
    is_in_capsules: bool
    links: tuple[str, ...] | None
    max_cells: int
    is_shown: bool


def swept_volume(
    moving: Any,
    tolerance: float | None = None,
    *,
    inner: bool = False,
    method: str = ELEMENTS,
    links: Iterable[str] | None = None,
    max_cells: int = MOST_CELLS,
    progress: bool = False,
) -> SweptVolume:
    """All that a thing passes through over t in [0, 1], as a closed mesh that provably contains it.

    No point of the mesh is farther from the sweep than the tolerance; its faces look outwards, and meet at
    shared edges and vertices alone. What is inside of a closed mesh is swept too; voids are left out.

    Parameters
    ----------
    moving : any shape with bounds but a field, with one motion of any kind; a robot on its way
    tolerance : a length; 1/64 of the longest side of a box around the sweep unless given
    inner : for a mesh inside of the sweep, around all that is ever deeper in the thing than the tolerance
    method : "elements"; "capsules" has a capsule around each shape, and an `outer_error` of its own
    links : of a robot, those that count; all unless given
    max_cells : a `ValueError` where the surface passes through more; half a kilobyte each
    progress : whether to show how many cells were looked at

    Examples
    --------
    >>> import numpy as np
    >>> from firstcontact import Box, Mesh, swept_volume
    >>> sliding = Box([1, 1, 1]).moving(np.eye(4), velocity=[2, 0, 0])
    >>> swept_volume(sliding, 0.1).volume > 3 > swept_volume(sliding, 0.1, inner=True).volume
    True
    >>> swept_volume(Mesh([], []))
    SweptVolume(0 faces, within 0 of the sweep, volume 0)
    """
    row = row_alone("swept_volume", moving, NOTHING)
    refuse(row, "swept_volume", moving)
    is_of_capsules = as_choice("method", method, (ELEMENTS, CAPSULES)) == CAPSULES
    if is_of_capsules and "method" not in row.takes:
        raise ValueError(f"method has no meaning for {row.called}")
    wanted = Wanted(
        None if tolerance is None else as_size("tolerance", tolerance),
        as_flag("inner", inner),
        is_of_capsules,
        None if links is None else _names(links),
        as_count("max_cells", max_cells),
        as_flag("progress", progress),
    )
    thing = as_moving(moving)
    found: SweptVolume = row.answer(thing, wanted, Ask())
    return about(found, {"moving": thing})


def _names(links: Any) -> tuple[str, ...]:
    several = (links,) if isinstance(links, str) else as_several("links", links)
    return tuple(as_name("name of a link", link) for link in several)


def sweep_of_thing(thing: Moving, wanted: Wanted, ask: Ask) -> SweptVolume:
    """Make the mesh around a sweep, or inside of it."""
    if thing.motion.is_batch:
        raise ValueError(f"swept_volume is of one motion; received a batch of {len(thing.motion)}")
    if wanted.is_inner and wanted.is_in_capsules:
        raise ValueError("capsules are around things: inner=True has no meaning for method='capsules'")
    links = _links_of(thing, wanted.links)
    error = _usual(thing, links) if wanted.tolerance is None else wanted.tolerance
    with counted(wanted.is_shown, "sweeping", "cells") as tell:
        limits = Limits(wanted.max_cells, tell)
        if wanted.is_inner:
            surface = inner_surface(thing, error, links, limits)
        else:
            surface = outer_surface(sweep_of(thing, error, links, wanted.is_in_capsules), error, limits)
    own = 0.0 if wanted.is_inner else surface.error
    return SweptVolume(surface.vertices, surface.faces, error, own, wanted.is_inner, surface.n_cells)


def _usual(thing: Moving, links: tuple[str, ...]) -> float:
    size = sweep_size(thing, links)
    if size == 0.0:
        raise ValueError("what is swept is a point: give a tolerance")
    return USUAL_TOLERANCE * max(size, 0.0)


def _links_of(thing: Moving, named: tuple[str, ...] | None) -> tuple[str, ...]:
    """Links of a robot that count; none of what is no robot."""
    if thing.kind is not Kind.ROBOT:
        if named is not None:
            raise ValueError("links are those of a robot, and what is swept is none")
        return ()
    known = cast(Robot, thing.shape).link_names
    for link in named or ():
        if link not in known:
            raise unknown("link", link, known)
    return known if named is None else named
