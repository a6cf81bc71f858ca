"""All prisms of a moving thing, and what is inside of it when it starts."""

from collections.abc import Callable, Container, Iterator
from functools import partial
from itertools import pairwise
from typing import NamedTuple, cast

import numpy as np

from firstcontact.arrays import Array
from firstcontact.articulated.model.robot import Robot
from firstcontact.bodies.mesh_parts import is_closed
from firstcontact.motions.joint_motion import JointMotion
from firstcontact.shapes.compound import moving_parts
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.voxels import skinned
from firstcontact.sweeping.around import capsule_around
from firstcontact.sweeping.elements import Elements, elements_of
from firstcontact.sweeping.prisms import (
    BETWEEN,
    Prisms,
    Slices,
    joined_prisms,
    longest_sides,
    moved_prisms,
    split_elements,
    straight_prisms,
)
from firstcontact.sweeping.robot_slices import robot_slices
from firstcontact.sweeping.slices import Fineness, rigid_slices

# Parts of the tolerance: what hulls of twisted elements take, what ways that are not straight take, which
# counts twice, and what polygons in place of circles take. The rest is for the cells.
TWIST, BENT, ROUND = 1.0 / 12.0, 1.0 / 48.0, 1.0 / 24.0

# No slice turns by more: for elements without a size, which twist by nothing.
LARGEST_TURN = 1.0

# Elements that turn are no longer than so many tolerances: of a box that turns, tolerances of a hundredth, 4
# take twice the memory, and 16 twice the time.
COMPACT = 8.0

# Ways in a slice, in units of the elements' sides, where there are more than a few elements.
WAY, FEW = 4.0, 64

# Prisms at the most: each takes 0.7 kB, with its place in a tree, while that is made.
MOST_PRISMS = 1 << 21

Slicer = Callable[[Fineness], Slices]


class Solid(NamedTuple):
    """A closed mesh, and its pose (4, 4) at the start: what is inside is swept too."""

    mesh: Mesh
    pose: Array


class Sweep(NamedTuple):
    """What covers a sweep: prisms, and solids where they start.

    slack : no point of it is farther from the sweep
    """

    prisms: Prisms
    solids: list[Solid]
    slack: float


def sweep_of(thing: Moving, tolerance: float, links: Container[str], is_in_capsules: bool) -> Sweep:
    """Cover the sweep of a thing: nowhere farther from it than a sixth of the tolerance, but for capsules.

    links : those of a robot that count
    """
    if thing.kind is Kind.DEFORMING:
        return _deforming_sweep(thing, tolerance)
    prisms, solids, n, beyond = [], [], 0, 0.0
    for elements, pose, slicer in _rigid_parts(thing, tolerance, links):
        own, more = capsule_around(elements) if is_in_capsules else (elements, 0.0)
        beyond = max(beyond, more)
        corners = own.vertices[own.faces] @ pose[:3, :3].T + pose[:3, 3]
        for fine, some, radii in _groups(corners, own.radii, tolerance, slicer):
            slices = slicer(fine)
            n += len(slices.deviations) * len(radii)
            _check_count(n)
            prisms.append(moved_prisms(slices, some, radii, own.excess))
            start = slices.starts[0]
        if own.solid is not None:
            solids.append(Solid(own.solid, start @ pose))
    whole = joined_prisms(prisms)
    return Sweep(whole, solids, whole.slack + beyond)


def _rigid_parts(
    thing: Moving, tolerance: float, links: Container[str]
) -> Iterator[tuple[Elements, Array, Slicer]]:
    """Give what moves rigidly: its elements, their pose (4, 4) in what moves, and the slices of that."""
    roundness = ROUND * tolerance
    if isinstance(thing.motion, JointMotion):
        robot, motion = cast(Robot, thing.shape), thing.motion
        for part in robot.parts:
            if part.link in links:
                elements = elements_of(part.shape, roundness)
                middle, radius = _ball_around(elements)
                reach = float(np.linalg.norm(part.pose[:3, :3] @ middle + part.pose[:3, 3])) + radius

                def slicer(fine: Fineness, link: str = part.link, reach: float = reach) -> Slices:
                    return robot_slices(robot, motion, link, reach, fine)

                yield elements, part.pose, slicer
        return
    for one in (skinned(part) for part in moving_parts(thing)):
        elements = elements_of(one.shape, roundness)
        if len(elements.faces) > 0:
            yield elements, np.eye(4), partial(rigid_slices, one.rigid, _ball_around(elements))


def _ball_around(elements: Elements) -> tuple[Array, float]:
    """Middle and radius of a ball around all elements."""
    corners = elements.vertices[elements.faces].reshape(-1, 3)
    middle = 0.5 * (corners.min(axis=0) + corners.max(axis=0))
    farthest = float(np.linalg.norm(corners - middle, axis=1).max())
    return middle, (farthest + float(elements.radii.max()) + elements.excess) * (1.0 + 2.0**-40)


def _groups(
    corners: Array, radii: Array, tolerance: float, slicer: Slicer
) -> Iterator[tuple[Fineness, Array, Array]]:
    """Give elements of about one size, with their radii, and how fine slices are for them.

    An element with a side a that turns by an angle h twists by a h / 4 at most. Large ones would take many
    slices, and each a large box, so that many are around any point: they are cut. A way that is much longer
    than an element has a large box, too.
    """
    bent, compact = BENT * tolerance, COMPACT * tolerance
    coarse = Fineness(bent, LARGEST_TURN, np.inf)
    largest = float(longest_sides(corners).max())
    fine = coarse._replace(turn=_turn_of(largest, tolerance))
    if len(slicer(fine).deviations) > len(slicer(coarse).deviations):
        corners, radii = split_elements(corners, radii, compact)
    sides = longest_sides(corners)
    powers = np.floor(np.log2(np.maximum(sides, compact)))
    for power in np.unique(powers):
        which = np.flatnonzero(powers == power)
        way = WAY * 2.0**power if len(which) > FEW else np.inf
        yield (
            Fineness(bent, _turn_of(float(sides[which].max()), tolerance), way),
            corners[which],
            radii[which],
        )


def _turn_of(side: float, tolerance: float) -> float:
    """How far elements with such sides may turn in a slice."""
    return min(4.0 * TWIST * tolerance / side, LARGEST_TURN) if side > 0.0 else LARGEST_TURN


def _deforming_sweep(thing: Moving, tolerance: float) -> Sweep:
    """Cover the sweep of what deforms: its vertices go straight, and its elements twist."""
    mesh, motion = thing.surface, thing.deforms
    radii, prisms, n = mesh.radii, [], 0
    for first, last in pairwise(motion.frames):
        starts, ends = first[mesh.faces], last[mesh.faces]
        ways = ends - starts
        apart = np.linalg.norm(ways - np.roll(ways, -1, axis=1), axis=2).max(axis=1, initial=0.0)
        needed = np.ceil(np.log2(np.maximum(0.25 * apart / (TWIST * tolerance), 1.0)))
        off = BETWEEN * float(max(np.abs(first).max(initial=0.0), np.abs(last).max(initial=0.0)))
        for power in np.unique(needed):
            count, group = int(2**power), np.flatnonzero(needed == power)
            n += count * len(group)
            _check_count(n)
            parts = (np.arange(count + 1) / count)[:, np.newaxis, np.newaxis, np.newaxis]
            places = starts[group] + parts * ways[group]
            places[-1] = ends[group]
            offs = np.full(count, off)
            prisms.append(straight_prisms(places[:-1], places[1:], radii[group], offs, 0.0))
    start = Mesh(thing.vertices(0.0), mesh.faces)
    has_solid = mesh.n_faces > 0 and mesh.has_inside and not mesh.is_cloud and is_closed(start)
    whole = joined_prisms(prisms)
    return Sweep(whole, [Solid(start, np.eye(4))] if has_solid else [], whole.slack)


def _check_count(n: int) -> None:
    if n > MOST_PRISMS:
        raise ValueError(
            f"the sweep needs more than {MOST_PRISMS} prisms, which take 0.7 kB each: allow a larger "
            "tolerance, or sweep a coarser mesh, or method='capsules'"
        )
