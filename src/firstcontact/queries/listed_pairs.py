"""Pairs of features that are listed once, and the queries of a step about them."""

from collections.abc import Sequence
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from firstcontact._validate import as_count, as_flag, as_length, as_positions, as_scalar
from firstcontact.advancement.ask import MOST_LISTED
from firstcontact.answers.answer import about, named
from firstcontact.answers.contact_results import Contacts, FirstContact
from firstcontact.answers.pair_distances import PairDistances
from firstcontact.arrays import Array
from firstcontact.deformable.contact_list import Wanted, all_contacts, first_contacts
from firstcontact.deformable.culling import Culling
from firstcontact.deformable.elementary_candidates import FeaturesFound
from firstcontact.deformable.feature_names import Names, names_of, own_vertices
from firstcontact.deformable.first_so_far import MOST_FIRST
from firstcontact.deformable.problem import Problem, feature_options, pose_problem
from firstcontact.deformable.reuse.near_pairs import (
    NearPairs,
    closest_kinds,
    gradients_of,
    merged,
    near_pairs,
)
from firstcontact.deformable.reuse.pair_lists import PairLists
from firstcontact.deformable.reuse.pair_search import (
    Travels,
    contacts_among,
    first_among,
    n_reached,
    travels_of,
)
from firstcontact.deformable.touching.pierced import NOTHING_PIERCED, Pierced, pierced_at_start
from firstcontact.motions.deformation import Deformation
from firstcontact.queries.kinds.deforming import (
    COARSE,
    first_found,
    listed_contacts,
    time_found,
)
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import frozen

# Lists reach farther than vertices may go by this part: no rounding of either takes one beyond the other.
BEYOND = 2.0**-40

# Pairs a face from which a search through the trees takes less time than to look at them: 30 ns a pair, 1 us
# a face, or 2 where much touches.
PAIRS_A_FACE = 32


class Start(NamedTuple):
    """What is known of where steps start: whether no edge passes through a face ever, and where listed."""

    is_free: bool
    was_free: bool


class Candidates:
    """Pairs of features that can touch, as `candidates` lists them, and the queries of a step about them.

    Positions are one array (n, 3) where one thing was given, and else a list with one for each thing, or None
    for what is where it was when the pairs were listed. All answers are those of the queries of the same
    names about things that deform from `start` to `v1`; a query looks only at pairs that its motion can bring
    together. Positions with a vertex farther from its place then than `inflate` are a `ValueError`.
    """

    def __init__(
        self, things: tuple[Moving, ...], problem: Problem, lists: PairLists, inflate: float, start: Start
    ) -> None:
        self._things, self._problem, self._lists, self._inflate = things, problem, lists, inflate
        self._start = start
        self._last_free: Array | None = problem.surface.vertices_t0 if start.was_free else None

    @property
    def inflate(self) -> float:
        """How far from its start each vertex may go."""
        return self._inflate

    @property
    def min_separation(self) -> float:
        """The distance that counts as contact."""
        return self._problem.min_separation

    def __len__(self) -> int:
        """How many pairs of vertices and faces, and of edges, there are."""
        return self._lists.n_pairs

    def __repr__(self) -> str:
        n_faces, n_edges = len(self._lists.vertex_faces.ids), len(self._lists.edge_edges.ids)
        return f"Candidates({n_faces} vertex-face, {n_edges} edge-edge, inflate={self._inflate:g})"

    def covers(self, v: Any, *, within: float = 0.0) -> bool:
        """Can positions be asked about: is no vertex farther than `inflate` from its start?

        within : can `distances` be asked for within that, too?
        """
        distance = as_length("within", within)
        travels = travels_of(self._places, self._joined("v", v))
        return not self._is_beyond(travels) and self._reaches(distance, travels.most)

    def contacts(
        self,
        v1: Any,
        start: Any = None,
        *,
        exact: bool = True,
        time_tolerance: float = 1e-9,
        max_contacts: int = MOST_LISTED,
    ) -> Contacts:
        """Find every contact of a step, as `contacts` does.

        Parameters
        ----------
        v1, start : positions at the end of the step, and where it starts; unless given, as they were listed
        exact, time_tolerance, max_contacts : as for `contacts`
        """
        is_exact, most = as_flag("exact", exact), as_count("max_contacts", max_contacts)
        tolerance = as_scalar("time_tolerance", time_tolerance, 0.0)
        began = perf_counter()
        problem, travels = self._posed(v1, start)
        pierced = self._pierced(problem, most)
        left = max(most - len(pierced.edges), 0)
        if self._is_dense(travels):
            problem = self._whole(problem)
            search = all_contacts(problem, Wanted(tolerance, is_exact), most=left)
        else:
            search = contacts_among(problem, self._lists, travels, tolerance, is_exact, left)
        found = listed_contacts(problem, search._replace(pierced=pierced), most, began)
        return about(found, named(self._moving(problem)))

    def first_contact(self, v1: Any, start: Any = None, *, exact: bool = True) -> FirstContact:
        """Find the first contact of a step, as `first_contact` does; parameters as for `contacts`."""
        is_exact, began = as_flag("exact", exact), perf_counter()
        problem, travels = self._posed(v1, start)
        pierced = self._pierced(problem, MOST_FIRST)
        if self._is_dense(travels) and len(pierced.edges) == 0:
            problem = self._whole(problem)
            search = first_contacts(problem, Wanted(COARSE, is_exact), False)
        else:
            latest = 0.0 if len(pierced.edges) else 1.0
            search = first_among(problem, self._lists, travels, Wanted(COARSE, is_exact), latest, False)
        found = first_found(problem, search._replace(pierced=pierced), is_exact, began)[0]
        return about(found, named(self._moving(problem)))

    def safe_step(self, v1: Any, start: Any = None, *, exact: bool = True) -> float:
        """How far along the step, in [0, 1], is it before the first contact? Parameters as for `contacts`."""
        is_exact = as_flag("exact", exact)
        problem, travels = self._posed(v1, start)
        if len(self._pierced(problem, 1).edges):
            return 0.0
        if self._is_dense(travels):
            problem = self._whole(problem)
            search = first_contacts(problem, Wanted(COARSE, is_exact), True)
        else:
            search = first_among(problem, self._lists, travels, Wanted(COARSE, is_exact), 1.0, True)
        return time_found(problem, search, is_exact)

    def distances(
        self, v: Any = None, *, within: float, gradient: bool = False, merge: bool = False
    ) -> PairDistances:
        """Find all pairs that are within a distance of each other at an instant, for barriers and penalties.

        Complete: no pair within that distance is missing. One that is farther may be listed, by rounding; or,
        of pairs that nearly touch, by 2**-24 of how far they reach. A distance is that of points of both
        features, at most 1e-9 of itself above the true one, or 2**-46 of how far the pair reaches.

        A point closest on an edge is listed by all faces around it. A sum over all pairs is continuous; over
        merged pairs, times their `multiplicity`, it is the same.

        Parameters
        ----------
        v : positions, as for `contacts`; unless given, as they were listed
        within : a length; with twice the farthest way of a vertex at most ``2 * inflate + min_separation``
        gradient, merge : how squared distances change as vertices move; each pair of closest parts once

        Examples
        --------
        >>> from firstcontact import Mesh, candidates
        >>> floor = Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
        >>> leaf = Mesh([[0, 0, 1], [1, 0, 2], [0, 1, 2]], [[0, 1, 2]])
        >>> near = candidates(leaf, floor, inflate=1).distances(within=1.5, gradient=True)
        >>> near, near.vertex_ids.tolist(), near.gradient[0].round(6).tolist()[0]
        (PairDistances(1, the nearest 1 apart), [[0, 0, 1, 2]], [0.0, 0.0, 2.0])
        """
        distance, has_gradient = as_length("within", within), as_flag("gradient", gradient)
        is_merged, positions = as_flag("merge", merge), self._joined("v", v)
        travels = self._checked(travels_of(self._places, positions))
        self._check_within(distance, travels.most)
        surface = self._problem.surface._replace(vertices_t0=positions, vertices_t1=positions)
        problem = self._problem._replace(surface=surface)
        request = feature_options(problem, 1.0, COARSE)
        near = near_pairs(surface, self._lists, travels, request, distance)
        found = self._described(near, has_gradient, is_merged)
        return about(found, named(self._moving(problem)))

    def _reaches(self, within: float, way: float) -> bool:
        """Were all pairs listed that are within a distance, where no vertex is farther than that away?"""
        return within + 2.0 * way <= (2.0 * self._inflate + self.min_separation) * (1.0 + BEYOND)

    def _check_within(self, within: float, way: float) -> None:
        """Refuse distances within which not all pairs were listed."""
        if not self._reaches(within, way):
            covered = 2.0 * self._inflate + self.min_separation
            raise ValueError(
                f"within, and twice the way of the vertex that is farthest from its start, {way:g}, must "
                f"not be more than 2 * inflate + min_separation = {covered:g}; received {within:g}"
            )

    @property
    def _places(self) -> Array:
        """Where all vertices were when the pairs were listed."""
        return self._problem.surface.vertices_t0

    def _joined(self, name: str, positions: Any) -> Array:
        """Positions of all vertices, one thing behind the other; without any, as they were listed."""
        if positions is None:
            return self._places
        if len(self._things) == 1:
            return np.array(as_positions(name, positions, self._things[0].surface.n_vertices))
        parts = _several(name, positions, len(self._things))
        starts = [thing.deformation.vertices_t0 for thing in self._things]
        return np.concatenate(
            [
                start if part is None else as_positions(f"{name}[{k}]", part, len(start))
                for k, (part, start) in enumerate(zip(parts, starts, strict=True))
            ]
        )

    def _posed(self, v1: Any, start: Any) -> tuple[Problem, Travels]:
        """A step, and how far vertices get from where they were listed."""
        ends, starts = self._joined("v1", v1), self._joined("start", start)
        travels = self._checked(travels_of(self._places, starts, ends))
        surface = self._problem.surface._replace(vertices_t0=starts, vertices_t1=ends)
        return self._problem._replace(surface=surface), travels

    def _is_dense(self, travels: Travels) -> bool:
        """Can a motion bring so many pairs together that it takes less to search all of both meshes?"""
        return n_reached(self._lists, travels) > PAIRS_A_FACE * len(self._problem.surface.faces)

    def _whole(self, problem: Problem) -> Problem:
        """The step as a search takes it, with bounds and trees."""
        own, things = self._problem, self._moving(problem)
        whole = pose_problem(things, self.min_separation, Culling(), is_asked=own.is_asked)
        return whole._replace(only_closing=own.only_closing, left_out=own.left_out)

    def _pierced(self, problem: Problem, most: int) -> Pierced:
        """Edges that pass through faces at the start of a step; one without any is kept for the next query.

        There are none where there were none when the pairs were listed, and nothing has touched on the
        straight ways from there: only else all of both meshes is looked at.
        """
        start = problem.surface.vertices_t0
        last_free = self._last_free
        if self._start.is_free or (last_free is not None and np.array_equal(start, last_free)):
            return NOTHING_PIERCED
        pierced = NOTHING_PIERCED
        if not self._is_reached(start):
            pierced = pierced_at_start(self._whole(problem), most=most)
        if len(pierced.edges) == 0:
            self._last_free = start
        return pierced

    def _is_reached(self, start: Array) -> bool:
        """Has nothing come to cross on straight ways from where pairs were listed, and nothing crossed?

        Of groups, an edge may be asked about that came through a face by an end that is not.
        """
        left_out = self._problem.left_out
        if not self._start.was_free or (left_out is not None and len(left_out.is_ignored) > 0):
            return False
        places, surface = self._places, self._problem.surface
        bare = surface._replace(
            vertices_t0=places,
            vertices_t1=start,
            vertex_radii=np.zeros_like(surface.vertex_radii),
            edge_radii=np.zeros_like(surface.edge_radii),
            face_radii=np.zeros_like(surface.face_radii),
        )
        way = self._problem._replace(surface=bare, min_separation=0.0, only_closing=False)
        found = first_among(
            way, self._lists, travels_of(places, start), Wanted(COARSE, True), 1.0, True
        ).found
        return len(found.time) == 0

    def _is_beyond(self, travels: Travels) -> bool:
        return travels.most > self._inflate * (1.0 + 0.25 * BEYOND)

    def _checked(self, travels: Travels) -> Travels:
        """Refuse positions for which not all pairs were listed."""
        if self._is_beyond(travels):
            row, thing = int(np.argmax(travels.lengths)), 0
            while row >= self._things[thing].surface.n_vertices:
                row, thing = row - self._things[thing].surface.n_vertices, thing + 1
            raise ValueError(
                f"no vertex may be farther than inflate = {self._inflate:g} from its start; "
                f"vertex {row} of thing {thing} is {travels.most:g} away"
            )
        return travels

    def _moving(self, problem: Problem) -> list[Moving]:
        """The things as they move in a step."""
        surface, first, moving = problem.surface, 0, []
        for thing in self._things:
            last = first + thing.surface.n_vertices
            ends = (frozen(each[first:last].copy()) for each in (surface.vertices_t0, surface.vertices_t1))
            moving.append(Moving(thing.shape, Deformation(*ends)))
            first = last
        return moving

    def _described(self, near: NearPairs, has_gradient: bool, is_merged: bool) -> PairDistances:
        """Pairs as rows, in a fixed order: each id counts within its own mesh."""
        n = len(near.ids)
        as_found = FeaturesFound(near.is_edge_edge, near.ids, np.zeros(n, np.int8), np.zeros(n), np.zeros(n))
        names = names_of(self._problem, as_found)
        order = np.lexsort((names.ids_b, names.ids_a, *names.thing_ids.T[::-1], names.kind))
        near = NearPairs._make(field[order] for field in near)
        multiplicity = np.ones(n, np.int32)
        if is_merged:
            rows, multiplicity = merged(near)
            order, near = order[rows], NearPairs._make(field[rows] for field in near)
        return PairDistances(
            *Names._make(column[order] for column in names),
            own_vertices(self._problem, near.corners.copy()),
            near.distance_squared,
            near.weights,
            gradients_of(near) if has_gradient else None,
            closest_kinds(near),
            multiplicity,
        )


def _several(name: str, positions: Any, n: int) -> Sequence[ArrayLike | None]:
    """Positions of several things: a list with an item for each."""
    if not isinstance(positions, list | tuple) or len(positions) != n:
        what = f"{len(positions)} items" if isinstance(positions, list | tuple) else type(positions).__name__
        raise ValueError(
            f"{name} must be a list of {n}: positions of each thing's vertices, or None where it rests; "
            f"received {what}"
        )
    return positions
