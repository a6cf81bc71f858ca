"""The first contact of moving things, and the step that is safe."""

from typing import Any

from firstcontact._validate import as_flag
from firstcontact.answers.answer import about, named
from firstcontact.answers.contact_results import FirstContact, FirstContacts
from firstcontact.articulated.model.world_shapes import is_robot
from firstcontact.deformable.culling import Culling
from firstcontact.motions.deformation import Deformation
from firstcontact.queries.by_kinds import FIRST, FIRSTS, MESH, TIME
from firstcontact.queries.deforming import DeformingAsk, first_of, first_time
from firstcontact.queries.kinds import Kind, kind_of, single
from firstcontact.queries.mixed import mixed_first
from firstcontact.queries.rigid import RigidAsk
from firstcontact.queries.robot import RobotAsk, refuse_self_contact, robot_first, robot_firsts
from firstcontact.shapes.convex_shape import ConvexShape
from firstcontact.shapes.mesh import as_moving
from firstcontact.shapes.moving import Moving


def first_contact(
    a: Any,
    b: Any = None,
    *,
    tolerance: float | None = None,
    min_separation: float = 0.0,
    method: str | None = None,
    max_iterations: int | None = None,
    solid: bool = False,
    exact: bool = True,
    culling: Culling | None = None,
    assume_free_start: bool = False,
    self_contact: bool = False,
    progress: bool = False,
) -> FirstContact:
    """When, where and between which features do moving things first touch? With `a` alone: itself.

    Never late, never missed. Of rigid bodies the distance at `time` is at most `tolerance`. Of deforming
    meshes the time is that of exact arithmetic, bracketed by neighbouring doubles. Convex shapes are solid.

    Parameters
    ----------
    a, b : what `Shape.moving`, `along`, `at` and `Mesh.deforming` give; a shape, or one of trimesh, rests.
        Or what `Robot.moving` gives, and obstacles as for `is_free`: a `RobotContact` then
    tolerance, min_separation : a millionth of the smaller size, and 0, unless given; the latter is contact
    method, solid, max_iterations, self_contact : as for `first_contacts`
    exact, culling, assume_free_start, progress : for deforming meshes, as for `contacts`

    Examples
    --------
    >>> from firstcontact import Mesh
    >>> import numpy as np
    >>> floor = Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
    >>> leaf = Mesh([[0, 0, 1], [1, 0, 2], [0, 1, 2]], [[0, 1, 2]])
    >>> hit = first_contact(leaf.moving(np.eye(4), velocity=[0, 0, -4]), floor)
    >>> round(hit.time, 5), hit.features.tolist()
    (0.25, [[0, 0, 0]])
    >>> bool(first_contact(leaf, floor)), bool(first_contact(Mesh([], []), floor))
    (False, False)
    """
    if is_robot(a) or is_robot(b):
        _refuse_for_robots(max_iterations, solid, exact, culling, assume_free_start)
        return robot_first(a, b, RobotAsk.checked(tolerance, min_separation, method, self_contact, progress))
    ask = RigidAsk.checked(tolerance, min_separation, method, max_iterations, solid, progress)
    refuse_self_contact(self_contact)
    things = _things(a, b)
    deforming = _deforming_ask(things, ask, exact, culling, assume_free_start)
    find = FIRST.get(_kinds(things))
    if find is not None:
        found = find(things[0], things[1], ask)
    elif _has_rigid_motion(things):
        found = mixed_first(things[0], things[1], ask, deforming)
    else:
        found = first_of(things, deforming)
    return about(found, named(things))


def first_contacts(
    a: Any,
    b: Any = None,
    *,
    tolerance: float | None = None,
    min_separation: float = 0.0,
    method: str | None = None,
    max_iterations: int | None = None,
    solid: bool = False,
    self_contact: bool = False,
    progress: bool = False,
) -> FirstContacts:
    """Answer `first_contact` for a batch of rigid motions, on all threads; one contact each.

    Parameters
    ----------
    a, b : rigid bodies, moving or at rest; of one or both a batch, of the same length. Or robots, as above
    tolerance, min_separation : as for `first_contact`
    method : "c2a", or for comparison "c2a-2009" (as published) and "ca"; of robots as for `is_free`
    max_iterations : steps of advancement, a piece of a motion, before `Status.MAX_ITERATIONS`
    solid : whether a body inside another, both closed, is in contact
    self_contact, progress : as for `is_free`; show a progress bar

    Examples
    --------
    >>> from firstcontact import Mesh
    >>> import numpy as np
    >>> floor = Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
    >>> leaf = Mesh([[0, 0, 1], [1, 0, 2], [0, 1, 2]], [[0, 1, 2]])
    >>> falls = leaf.moving(np.eye(4), velocity=[[0, 0, -4], [0, 0, 4], [0, 0, -2]])
    >>> first_contacts(falls, floor).time.round(5).tolist()
    [0.25, inf, 0.5]
    >>> first_contacts(leaf.at(np.empty((0, 4, 4))), floor)
    FirstContacts(0 motions, 0 with contact)
    """
    if is_robot(a) or is_robot(b):
        _refuse_for_robots(max_iterations, solid)
        return robot_firsts(a, b, RobotAsk.checked(tolerance, min_separation, method, self_contact, progress))
    ask = RigidAsk.checked(tolerance, min_separation, method, max_iterations, solid, progress)
    refuse_self_contact(self_contact)
    things = [as_moving(a), as_moving(b)]
    for name, thing in zip("ab", things, strict=True):
        if isinstance(thing.motion, Deformation):
            raise TypeError(f"first_contacts is for rigid bodies, and {name} deforms: use first_contact")
    return about(FIRSTS[_kinds(things)](things[0], things[1], ask), named(things))


def safe_step(
    a: Any,
    b: Any = None,
    *,
    tolerance: float | None = None,
    min_separation: float = 0.0,
    method: str | None = None,
    max_iterations: int | None = None,
    solid: bool = False,
    exact: bool = True,
    culling: Culling | None = None,
    assume_free_start: bool = False,
    self_contact: bool = False,
    progress: bool = False,
) -> float:
    """How far along the step, in [0, 1], is it before the first contact?

    The `time` of `first_contact`, and 1 where there is none: never later than the true first contact.

    Parameters
    ----------
    a, b, tolerance, min_separation, method, max_iterations, solid : as for `first_contact`
    exact, culling, assume_free_start, self_contact, progress : as for `first_contact`

    Examples
    --------
    >>> from firstcontact import Mesh
    >>> import numpy as np
    >>> floor = Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
    >>> leaf = Mesh([[0, 0, 1], [1, 0, 2], [0, 1, 2]], [[0, 1, 2]])
    >>> falling = leaf.deforming(leaf.vertices, leaf.vertices - [0, 0, 4])
    >>> safe_step(falling, floor), safe_step(falling, floor, min_separation=0.5), safe_step(leaf, floor)
    (0.25, 0.125, 1.0)
    """
    if is_robot(a) or is_robot(b):
        _refuse_for_robots(max_iterations, solid, exact, culling, assume_free_start)
        robot = RobotAsk.checked(tolerance, min_separation, method, self_contact, progress)
        return min(robot_first(a, b, robot).time, 1.0)
    ask = RigidAsk.checked(tolerance, min_separation, method, max_iterations, solid, progress)
    refuse_self_contact(self_contact)
    things = _things(a, b)
    deforming = _deforming_ask(things, ask, exact, culling, assume_free_start)
    find = TIME.get(_kinds(things))
    if find is not None:
        return find(things[0], things[1], ask)
    if _has_rigid_motion(things):
        return min(mixed_first(things[0], things[1], ask, deforming).time, 1.0)
    return first_time(things, deforming)


def _refuse_for_robots(
    max_iterations: int | None,
    solid: bool,
    exact: bool = True,
    culling: Culling | None = None,
    assume_free_start: bool = False,
) -> None:
    """Refuse options that robots have no use for."""
    refused = {
        "max_iterations": max_iterations is not None,
        "solid": as_flag("solid", solid),
        "exact=False": not as_flag("exact", exact),
        "culling": culling is not None,
        "assume_free_start": as_flag("assume_free_start", assume_free_start),
    }
    for option, is_refused in refused.items():
        if is_refused:
            raise ValueError(f"{option} has no meaning for robots")


def _things(a: Any, b: Any) -> list[Moving]:
    """One moving thing, or two; what is alone and does not deform touches itself as it does at the start."""
    if b is not None:
        return [as_moving(a), as_moving(b)]
    thing = as_moving(a)
    if isinstance(thing.motion, Deformation):
        return [thing]
    if isinstance(thing.shape, ConvexShape):
        raise TypeError(f"a {type(thing.shape).__name__} cannot touch itself: give two things")
    vertices = single(thing, "a").vertices(0.0)
    return [thing.surface.deforming(vertices, vertices)]


def _deforming_ask(
    things: list[Moving], ask: RigidAsk, exact: bool, culling: Culling | None, assume_free_start: bool
) -> DeformingAsk:
    """Check what is for deforming meshes; refuse options that the things at hand have no use for."""
    deforming = DeformingAsk.checked(ask.min_separation, culling, exact, assume_free_start, ask.progress)
    kinds = _kinds(things)
    is_rigid, is_convex = Kind.DEFORMING not in kinds, Kind.CONVEX in kinds
    is_advanced = is_rigid or is_convex or _has_rigid_motion(things)
    refused = {
        "exact=False": not deforming.exact and is_advanced,
        "culling": culling is not None and (is_rigid or is_convex),
        "assume_free_start": deforming.assume_free_start and (is_rigid or is_convex),
        "method": ask.method != "c2a" and kinds != MESH,
        "solid": ask.solid and not is_rigid,
        "max_iterations": ask.max_iterations is not None and not is_advanced,
    }
    what = "rigid bodies" if is_rigid else "what deforms"
    for option, is_refused in refused.items():
        if is_refused:
            raise ValueError(f"{option} has no meaning for {'convex shapes' if is_convex else what}")
    return deforming


def _kinds(things: list[Moving]) -> frozenset[Kind]:
    return frozenset(kind_of(thing) for thing in things)


def _has_rigid_motion(things: list[Moving]) -> bool:
    """Does one of them move rigidly, and not on straight lines?"""
    return any(not isinstance(thing.motion, Deformation) and not thing.motion.is_resting for thing in things)
