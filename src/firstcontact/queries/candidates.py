"""Pairs of features that are listed once for the queries of a step."""

from typing import Any

import numpy as np

from firstcontact._validate import as_count, as_flag, as_length
from firstcontact.advancement.ask import Ask
from firstcontact.advancement.progress import shown as progress_shown
from firstcontact.deformable.culling import Culling
from firstcontact.deformable.elementary_candidates import ROUNDED_UP
from firstcontact.deformable.problem import Problem, feature_options, pose_problem
from firstcontact.deformable.reuse.pair_lists import list_pairs
from firstcontact.deformable.touching.pierced import pierced_at_start
from firstcontact.errors import too_many
from firstcontact.hierarchy.traversal import NO_ENDS
from firstcontact.motions.deformation import Deformation
from firstcontact.queries.kinds.deforming import (
    COARSE,
    TRIANGLE_PAIRS,
)
from firstcontact.queries.listed_pairs import BEYOND, Candidates, Start
from firstcontact.queries.pair_filters import left_out_for, seeks_itself
from firstcontact.shapes.mesh import as_moving
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import frozen

# Pairs that are listed unless more are asked for: 1.2 GB, and as much again while they are sorted.
MOST_PAIRS = 100_000_000


def candidates(
    a: Any,
    b: Any = None,
    *,
    inflate: float,
    min_separation: float = 0.0,
    self_contact: bool = False,
    only_closing: bool = False,
    ignore_near: float | None = None,
    groups: Any = None,
    ignore_groups: Any = None,
    assume_free_start: bool = False,
    max_pairs: int = MOST_PAIRS,
    progress: bool = False,
) -> Candidates:
    """List all pairs of features that can touch while no vertex leaves its start by more than a length.

    Complete: whatever comes within `min_separation` on any such motion is among them.

    Parameters
    ----------
    a, b : meshes, at rest or deforming, as they are at t = 0; `a` alone with itself; or a list, all pairs
    self_contact, only_closing, ignore_near, groups, ignore_groups : as for `contacts`, also of lists
    inflate : how far from its start each vertex may go
    min_separation : distance that counts as contact, and is added to what `distances` reaches
    assume_free_start, progress, max_pairs : nothing crosses at the start; show a bar; more are an error

    Examples
    --------
    >>> from firstcontact import Mesh, candidates
    >>> floor = Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
    >>> leaf = Mesh([[0, 0, 1], [1, 0, 2], [0, 1, 2]], [[0, 1, 2]])
    >>> near = candidates(leaf, floor, inflate=2)
    >>> [near.safe_step([leaf.vertices - [0, 0, way], None]) for way in (0.5, 1.0, 2)]
    [1.0, 1.0, 0.5]
    >>> near.contacts([leaf.vertices - [0, 0, 3], None])
    Traceback (most recent call last):
    ValueError: no vertex may be farther than inflate = 2 from its start; vertex 0 of thing 0 is 3 away
    """
    ask = Ask.checked(
        min_separation=min_separation,
        self_contact=self_contact,
        only_closing=only_closing,
        ignore_near=ignore_near,
        groups=groups,
        ignore_groups=ignore_groups,
    )
    given = _given(a, b, ask)
    things, is_alone = tuple(map(_as_start, given)), b is None and not isinstance(a, list | tuple)
    is_asked = tuple(is_alone or seeks_itself(as_moving(thing), ask) for thing in given)
    length, separation = as_length("inflate", inflate), ask.min_separation
    is_free, most = as_flag("assume_free_start", assume_free_start), as_count("max_pairs", max_pairs)
    whole = 2.0 * length * (1.0 + BEYOND)
    left_out = left_out_for(things, ask)
    problem = pose_problem(things, (separation + whole) * ROUNDED_UP, Culling(), is_asked=is_asked)
    own = problem._replace(min_separation=separation, only_closing=ask.only_closing, left_out=left_out)
    with progress_shown(as_flag("progress", progress), TRIANGLE_PAIRS) as report:
        lists = list_pairs(own, feature_options(own, 1.0, COARSE), whole, most, report)
    if lists is None:
        raise too_many("pairs of features", "max_pairs", most)
    return Candidates(things, _without_bounds(own), lists, length, _start_of(own, is_free))


def _given(a: Any, b: Any, ask: Ask) -> tuple[Any, ...]:
    """The things, of which one alone is asked about itself."""
    if isinstance(a, list | tuple):
        if b is not None:
            raise TypeError("candidates takes a list alone, or one thing or two")
        if not a:
            raise ValueError("candidates needs a thing or more; received none")
        return tuple(a)
    if ask.self_contact:
        raise TypeError("candidates takes self_contact of a list only: one thing alone is asked about itself")
    if b is not None and ask.ignore_near is not None:
        raise ValueError(
            "ignore_near has no meaning for candidates of a and b: it is about the neighbours in one mesh"
        )
    return (a,) if b is None else (a, b)


def _start_of(problem: Problem, is_free: bool) -> Start:
    """Look whether any edge passes through a face, unless somebody knows, or there is no face."""
    is_free |= all(mesh.is_cloud for mesh in problem.meshes)
    return Start(is_free, is_free or len(pierced_at_start(problem, any_will_do=True).edges) == 0)


def _as_start(thing: Any) -> Moving:
    """A thing as a mesh that deforms from where it is at t = 0, and has not moved yet."""
    moving = as_moving(thing)
    if moving.kind is not Kind.DEFORMING and (moving.kind is not Kind.MESH or not moving.motion.is_resting):
        what = type(moving.shape).__name__ if moving.kind is not Kind.MESH else "mesh that moves rigidly"
        raise TypeError(
            "candidates are of meshes that rest or deform: mesh, mesh.at(pose) or mesh.deforming(v0, v1); "
            f"received a {what}"
        )
    if moving.motion.is_batch:
        raise ValueError("candidates are of meshes in one place each; received a batch of poses")
    vertices = frozen(moving.vertices(0.0).copy())
    return Moving(moving.shape, Deformation(vertices, vertices))


def _without_bounds(problem: Problem) -> Problem:
    """A problem without what a traversal needs: bounds and trees."""
    k = problem.surface.vertex_bounds.shape[1]
    nothing = np.empty((0, k))
    pairing, no_nodes = problem.pairing, np.empty((0, 2), np.int32)
    return problem._replace(
        surface=problem.surface._replace(vertex_bounds=nothing, edge_bounds=nothing, face_bounds=nothing),
        pairing=pairing._replace(
            children=no_nodes,
            bounds=nothing,
            quiet=np.empty(0, np.int8),
            ends=NO_ENDS,
        ),
        trees=(),
        seconds=0.0,
    )
