"""A scene: bodies with names, from step to step."""

from collections.abc import Iterator, Mapping
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from firstcontact._validate import as_choice
from firstcontact.queries.answer import about
from firstcontact.queries.contact_results import ContactStats, no_contact
from firstcontact.scene.bodies import Bodies, as_bodies, row_named
from firstcontact.scene.candidates import BROAD_PHASES, Candidates
from firstcontact.scene.filters import Filters
from firstcontact.scene.many_motions import many_motions, rows_of
from firstcontact.scene.results import SceneContact, SceneContacts
from firstcontact.scene.solving import Ask, detail_of_pair, earliest, first_of_pair, solve
from firstcontact.shapes.moving import Moving
from firstcontact.status import Status

_NO_BODIES: Mapping[str, Any] = {}


@final
class Scene:
    """Bodies with names, each with its motion over a step: who touches whom first, and when?

    Every two bodies are a pair, and what deforms is one with itself, unless they are ignored. Bodies have
    ids too, 0, 1, 2, ... in the order of their arrival; neither changes, and ids are not given twice.

    Parameters
    ----------
    bodies, **named : what `Shape.moving`, `along`, `at` and `Mesh.deforming` give; a shape stands still
    broad_phase : "sweep" (sorted lists), "tree", or "auto" for the faster one; the answers are the same

    Examples
    --------
    >>> from firstcontact import Box, Sphere
    >>> ball, here = Sphere(1), np.eye(3)
    >>> scene = Scene(floor=Box([9, 9, 2]), ball=ball.moving((here, [0, 0, 6]), velocity=[0, 0, -8]))
    >>> scene.first_contact()
    SceneContact('floor', 'ball', 0.5)
    >>> scene.update(ball=ball.at((here, [0, 0, 6])))
    >>> scene.first_contact(), Scene().safe_step()
    (SceneContact(none), 1.0)
    """

    def __init__(
        self, bodies: Mapping[str, Any] = _NO_BODIES, /, *, broad_phase: str = "auto", **named: Any
    ) -> None:
        method = as_choice("broad_phase", broad_phase, tuple(BROAD_PHASES))
        self._bodies, self._filters = Bodies(), Filters()
        self._candidates, self._revision = Candidates(method), 0
        self.add(bodies, **named)

    def add(self, bodies: Mapping[str, Any] | str = _NO_BODIES, thing: Any = None, /, **named: Any) -> None:
        """Let bodies arrive: ``add("ball", thing)``, ``add({"ball": thing})`` or ``add(ball=thing)``.

        Examples
        --------
        >>> from firstcontact import Sphere
        >>> scene = Scene(ball=Sphere(1))
        >>> scene.add("ball", Sphere(2))
        Traceback (most recent call last):
        ValueError: a scene has each name once; 'ball' is there already
        """
        things = as_bodies({bodies: thing} if isinstance(bodies, str) else bodies, named)
        if thing is not None and not isinstance(bodies, str):
            raise TypeError("a thing goes with one name: add(name, thing), or add({name: thing, ...})")
        for name in things:
            if name in self._bodies.row_of:
                raise ValueError(f"a scene has each name once; {name!r} is there already")
        self._bodies.add(things)
        self._changed()

    def remove(self, *names: str) -> None:
        """Let bodies leave; what was said to ignore of them is forgotten."""
        for row in {self._row(name): None for name in names}:
            self._filters.forget(self._bodies.remove(self._bodies.names[row]))
        if 2 * len(self) < self._bodies.n_rows:
            self._bodies = self._bodies.cleared()
            self._candidates.start_anew()
        self._changed()

    def update(self, bodies: Mapping[str, Any] = _NO_BODIES, /, **named: Any) -> None:
        """Give bodies the motions of the next step, or other shapes; the others keep theirs.

        Examples
        --------
        >>> from firstcontact import Sphere
        >>> Scene(ball=Sphere(1)).update(bal=Sphere(2))
        Traceback (most recent call last):
        KeyError: "no body is named 'bal'; did you mean 'ball'?"
        """
        things = as_bodies(bodies, named)
        for name in things:
            self._row(name)
        self._bodies.update(things)
        self._changed()

    def move(
        self, which: Any, start: Any, end: Any = None, *, velocity: Any = None, angular_velocity: Any = None
    ) -> None:
        """Give many bodies rigid motions at once: as `update` with `Shape.moving`, in one call.

        Parameters
        ----------
        which : n names or ids, none twice
        start, end : poses, (n, 4, 4) or (4, 4), or rotations and translations, as for `Shape.at`
        velocity, angular_velocity : instead of `end`, (n, 3) or (3,), as for `Shape.moving`; with neither,
            nor an `end`, the bodies stand still

        Examples
        --------
        >>> from firstcontact import Sphere
        >>> scene = Scene({f"ball {i}": Sphere(0.4) for i in range(3)})
        >>> scene.move(scene.ids, (np.eye(3), [[0, 0, 0], [1, 0, 0], [2, 0, 0]]), velocity=np.diag([1, 0, 0]))
        >>> scene.first_contact()
        SceneContact('ball 0', 'ball 1', 0.2)
        """
        rows = rows_of(which, self._bodies, self._row)
        centers = self._bodies.columns.centers[rows]
        self._bodies.move(rows, *many_motions(centers, start, end, velocity, angular_velocity))
        self._changed()

    def ignore(self, a: str, b: str) -> None:
        """Do not look at this pair; of what deforms, with its own name twice, not at its self-contact."""
        self._say(a, b, is_ignored=True)

    def consider(self, a: str, b: str) -> None:
        """Look at this pair, whatever was said of it, or of a group, before."""
        self._say(a, b, is_ignored=False)

    def ignore_group(self, *names: str) -> None:
        """Do not look at any pair of two of these bodies; self-contacts are not meant."""
        self._filters.add_group(self._id(name) for name in names)
        self._changed()

    def pairs(self, *, min_separation: float = 0.0, tolerance: float | None = None) -> list[tuple[str, str]]:
        """Pairs, by name, whose boxes, swept over the whole step, overlap; without those ignored."""
        return self._named(self._pairs(tolerance, min_separation))

    def pair_ids(self, *, min_separation: float = 0.0, tolerance: float | None = None) -> NDArray[np.int64]:
        """The same pairs by their ids, (m, 2), in the same order."""
        ids: NDArray[np.int64] = self._bodies.columns.ids[self._pairs(tolerance, min_separation)]
        return ids

    def first_contact(self, *, min_separation: float = 0.0, tolerance: float | None = None) -> SceneContact:
        """The earliest contact of all pairs: when, where and between whom. Never late, never missed.

        Pairs are searched by a proven lower bound of their times, until no other can be earlier. Where
        several touch at that very time, it is one of them.

        Parameters
        ----------
        min_separation : a distance up to this counts as contact
        tolerance : a length, as for `firstcontact.first_contact`; a millionth of the smaller body's size, or
            up to half as much, unless given
        """
        ask = Ask.checked(tolerance, min_separation)
        pairs, bounds = self._candidates.due(self._bodies, self._filters, ask)
        with self._candidates.timed("search"):
            first = earliest(self._bodies, pairs, bounds, ask)
            if first.number < 0:
                stats = self._candidates.stats(len(self), first.n_solved)
                return SceneContact(None, None, no_contact(ContactStats()), stats)
            i, j = pairs[first.number].tolist()
            contact = first_of_pair(self._bodies, i, j, ask)
        names = self._bodies.names
        found = SceneContact(names[i], names[j], contact, self._candidates.stats(len(self), first.n_solved))
        return about(found, {names[k]: self._bodies.thing(k) for k in (i, j)})

    def contacts(self, *, min_separation: float = 0.0, tolerance: float | None = None) -> SceneContacts:
        """The first contact of each pair that touches in the step, sorted by time. Complete and never late.

        Each pair is asked as if it were alone: what others would do to its motion is for the caller.

        Parameters
        ----------
        min_separation, tolerance : as for `first_contact`
        """
        ask = Ask.checked(tolerance, min_separation)
        pairs, _ = self._candidates.due(self._bodies, self._filters, ask)
        with self._candidates.timed("search"):
            solved = solve(self._bodies, pairs, ask)
        hits = np.flatnonzero(solved.status != Status.SEPARATED)
        hits = hits[np.argsort(solved.time[hits], kind="stable")]
        then = self._bodies.snapshot()

        def detail(a: str, b: str) -> Any:
            i, j = sorted((row_named(then, a), row_named(then, b)))
            return detail_of_pair(then, i, j, ask)

        return SceneContacts(
            self._named(pairs[hits]),
            self._bodies.columns.ids[pairs[hits]],
            solved.time[hits],
            solved.points[hits],
            solved.normals[hits],
            solved.status[hits],
            self._candidates.stats(len(self), len(pairs)),
            detail,
            lambda: {name: then.thing(row) for name, row in then.row_of.items()},
        )

    def safe_step(self, *, min_separation: float = 0.0, tolerance: float | None = None) -> float:
        """How far along the step, in [0, 1], may all bodies go before the first contact?"""
        ask = Ask.checked(tolerance, min_separation)
        pairs, bounds = self._candidates.due(self._bodies, self._filters, ask)
        return min(earliest(self._bodies, pairs, bounds, ask).time, 1.0)

    @property
    def names(self) -> list[str]:
        """Names of the bodies, in the order of their arrival."""
        return list(self)

    @property
    def ids(self) -> NDArray[np.int64]:
        """Ids of the bodies, (n,), in the same order."""
        columns, n = self._bodies.columns, self._bodies.n_rows
        return columns.ids[:n][columns.is_there[:n]]

    @property
    def revision(self) -> int:
        """How often bodies have arrived, left or moved: the scene is as it was while this is."""
        return self._revision

    def __getitem__(self, name: str) -> Moving:
        return self._bodies.thing(self._row(name))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._bodies.row_of

    def __iter__(self) -> Iterator[str]:
        return iter(self._bodies.row_of)

    def __len__(self) -> int:
        return len(self._bodies.row_of)

    def __repr__(self) -> str:
        return f"Scene({len(self)} bodies)"

    def _changed(self) -> None:
        self._candidates.forget()
        self._revision += 1

    def _say(self, a: str, b: str, is_ignored: bool) -> None:
        self._filters.set_pair(self._id(a), self._id(b), is_ignored)
        self._changed()

    def _row(self, name: str) -> int:
        return row_named(self._bodies, name)

    def _id(self, name: str) -> int:
        return int(self._bodies.columns.ids[self._row(name)])

    def _pairs(self, tolerance: float | None, min_separation: float) -> NDArray[np.int32]:
        return self._candidates.of(self._bodies, self._filters, Ask.checked(tolerance, min_separation))

    def _named(self, pairs: NDArray[np.int32]) -> list[tuple[str, str]]:
        names = self._bodies.names
        return [(names[i], names[j]) for i, j in pairs.tolist()]
