"""A scene: bodies with names, from step to step."""

from collections.abc import Callable, Iterator, Mapping
from time import perf_counter
from typing import Any, TypeVar, final

import numpy as np
from numpy.typing import NDArray

from firstcontact._turns import Turns
from firstcontact._validate import as_choice, as_count
from firstcontact.advancement.ask import MOST_LISTED, Ask
from firstcontact.answers.answer import about
from firstcontact.scene.bodies import Bodies, Reading
from firstcontact.scene.body_names import as_bodies, as_which, id_named, names_of, row_named, rows_given
from firstcontact.scene.candidates import BROAD_PHASES, Candidates
from firstcontact.scene.events.with_events import WithEvents
from firstcontact.scene.filters import Filters
from firstcontact.scene.made_contacts import contacts_of, first_contact_of
from firstcontact.scene.many_motions import move_rows, rows_of
from firstcontact.scene.near_bodies import NearBodies
from firstcontact.scene.nearest_pair import nearest_pair
from firstcontact.scene.results import SceneClearance, SceneContact, SceneContacts, SceneStats
from firstcontact.scene.scene_features import WithFeatures
from firstcontact.scene.scene_rays import MetByRays
from firstcontact.scene.state import SceneState
from firstcontact.shapes.moving import Moving

T = TypeVar("T")

_NO_BODIES: Mapping[str, Any] = {}


@final
class Scene(MetByRays, NearBodies, WithEvents, WithFeatures):
    """Bodies with names, each with its motion over a step: who touches whom first, and when?

    All are in space, or all in the plane. Every two are a pair, but two half-spaces, and what deforms is one
    with itself, unless they are ignored. Ids are 0, 1, 2, ... in the order of arrival, and not given twice.

    Parameters
    ----------
    bodies, **named : what `Shape.moving`, `along`, `at` and `Mesh.deforming` give; a shape stands still
    broad_phase : "auto" (the faster), "sweep" (sorted lists), "tree", or "image" (fewer pairs): same answers

    Examples
    --------
    >>> from firstcontact import Box, Sphere
    >>> ball, here = Sphere(1), np.eye(3)
    >>> scene = Scene(floor=Box([9, 9, 2]), ball=ball.moving((here, [0, 0, 6]), velocity=[0, 0, -8]))
    >>> scene.first_contact()
    SceneContact('floor', 'ball', 0.499999)
    >>> scene.update(ball=ball.at((here, [0, 0, 6])))
    >>> scene.first_contact(), Scene().safe_step()
    (SceneContact(none), 1.0)
    """

    def __init__(
        self, bodies: Mapping[str, Any] = _NO_BODIES, /, *, broad_phase: str = "auto", **named: Any
    ) -> None:
        method = as_choice("broad_phase", broad_phase, tuple(BROAD_PHASES))
        self._turns = Turns("a scene")
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

        def arrive(bodies: Bodies) -> Bodies:
            for name in things:
                if name in bodies.row_of:
                    raise ValueError(f"a scene has each name once; {name!r} is there already")
            bodies.add(things)
            return bodies

        self._edit(arrive)

    def remove(self, *names: str) -> None:
        """Let bodies leave; what was said to ignore of them is forgotten."""

        def leave(bodies: Bodies) -> Bodies:
            rows = {row_named(bodies, name): None for name in names}
            self._filters.forget(set(bodies.remove(*(bodies.names[row] for row in rows))))
            if 2 * len(bodies.row_of) >= bodies.n_rows:
                return bodies
            self._candidates.start_anew()
            return bodies.cleared()

        self._edit(leave)

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

        def change(bodies: Bodies) -> Bodies:
            for name in things:
                row_named(bodies, name)
            bodies.update(things)
            self._candidates.only(np.array([bodies.row_of[name] for name in things], np.int64), bodies.n_rows)
            return bodies

        self._edit(change)

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
        SceneContact('ball 0', 'ball 1', 0.199999)
        """
        items = as_which("which", which)

        def change(bodies: Bodies) -> Bodies:
            moved = move_rows(bodies, rows_of(items, bodies), start, end, velocity, angular_velocity)
            self._candidates.only(moved, bodies.n_rows)
            return bodies

        self._edit(change, Bodies.to_move)

    def ignore(self, a: str, b: str) -> None:
        """Do not look at this pair; of what deforms, with its own name twice, not at its self-contact."""
        self._say(a, b, is_ignored=True)

    def consider(self, a: str, b: str) -> None:
        """Look at this pair, whatever was said of it, or of a group, before."""
        self._say(a, b, is_ignored=False)

    def ignore_group(self, *names: str) -> None:
        """Do not look at any pair of two of these bodies; self-contacts are not meant."""

        def change(bodies: Bodies) -> Bodies:
            self._filters.add_group([id_named(bodies, name) for name in names])
            return bodies

        self._edit(change)

    def pairs(
        self,
        *,
        min_separation: float = 0.0,
        tolerance: float | None = None,
        max_pairs: int = MOST_LISTED,
    ) -> list[tuple[str, str]]:
        """Pairs, by name, whose boxes, swept over the whole step, overlap; without those ignored.

        More than `max_pairs` are an error: the pairs of 15,000 bodies at one place would take gigabytes.
        """
        state, pairs = self._pairs(tolerance, min_separation, max_pairs)
        return names_of(state.bodies, pairs)

    def pair_ids(
        self,
        *,
        min_separation: float = 0.0,
        tolerance: float | None = None,
        max_pairs: int = MOST_LISTED,
    ) -> NDArray[np.int64]:
        """The same pairs by their ids, (m, 2), in the same order."""
        state, pairs = self._pairs(tolerance, min_separation, max_pairs)
        ids: NDArray[np.int64] = state.bodies.columns.ids[pairs]
        return ids

    def first_contact(
        self,
        *,
        min_separation: float = 0.0,
        tolerance: float | None = None,
        assume_free_start: bool = False,
        of: Any = None,
    ) -> SceneContact:
        """The earliest contact of all pairs: when, where and between whom. Never late, never missed.

        Pairs are searched by a proven lower bound of their times, until no other can be earlier. Where
        several touch at that very time, it is one of them.

        Parameters
        ----------
        min_separation : a distance up to this counts as contact
        tolerance : a length, as for `firstcontact.first_contact`; a millionth of the smaller body's size, or
            up to half as much, unless given
        assume_free_start : of meshes that deform, as for `firstcontact.contacts`
        of : names or ids; only pairs that one of these bodies is in are looked at. All unless given
        """
        ask = _ask(tolerance, min_separation, assume_free_start)
        state = self._state(ask, of)
        return first_contact_of(state, ask)

    def contacts(
        self,
        *,
        min_separation: float = 0.0,
        tolerance: float | None = None,
        assume_free_start: bool = False,
        of: Any = None,
        max_contacts: int = MOST_LISTED,
    ) -> SceneContacts:
        """The first contact of each pair that touches in the step, sorted by time. Complete and never late.

        Each pair is asked as if it were alone: what others would do to its motion is for the caller.

        Parameters
        ----------
        min_separation, tolerance, assume_free_start, of : as for `first_contact`
        max_contacts : more pairs that touch than this are an error
        """
        ask = _ask(tolerance, min_separation, assume_free_start)
        state = self._state(ask, of)
        return contacts_of(state, as_count("max_contacts", max_contacts), ask)

    def safe_step(
        self,
        *,
        min_separation: float = 0.0,
        tolerance: float | None = None,
        assume_free_start: bool = False,
        of: Any = None,
    ) -> float:
        """How far along the step, in [0, 1], may all bodies go before the first contact?"""
        return min(self._state(_ask(tolerance, min_separation, assume_free_start), of).first().time, 1.0)

    def clearance(self, *, tolerance: float | None = None) -> SceneClearance:
        """How near do any two bodies come in the step, when and where? Both ends are proven.

        At `time` the two are `distance` apart, and no two are ever nearer than `distance_lower`. Pairs that
        are ignored do not count, and nothing is asked about a body and itself.

        Parameters
        ----------
        tolerance : how far apart the two ends may be, as for `firstcontact.clearance`

        Examples
        --------
        >>> from firstcontact import Box, Sphere
        >>> ball, here = Sphere(1), np.eye(3)
        >>> scene = Scene(floor=Box([9, 9, 2]), ball=ball.moving((here, [0, 0, 6]), velocity=[0, 0, -3]))
        >>> scene.add("moon", ball.at((here, [0, 0, 60])))
        >>> near = scene.clearance()
        >>> near.a, near.b, near.distance, near.time
        ('floor', 'ball', 1.0, 1.0)
        >>> Scene(ball=ball).clearance()
        SceneClearance(none)
        """
        ask = Ask.checked(tolerance=tolerance)
        began = perf_counter()

        def now(bodies: Bodies) -> tuple[Reading, NDArray[np.float64], Filters]:
            filters = self._filters.snapshot().with_strangers(bodies.fitted_half_spaces())
            return bodies.reading(), bodies.boxes(np.zeros(bodies.n_rows)), filters

        reading, boxes, filters = self._now(now)
        bodies = reading.bodies
        found = nearest_pair(bodies, boxes, filters, ask)
        seconds = {"search": perf_counter() - began}
        stats = SceneStats(len(bodies.row_of), found.n_pairs, found.n_pairs, found.n_asked, seconds)
        if found.clearance is None:
            return SceneClearance(None, None, None, np.inf, stats)
        a, b = bodies.names[found.i], bodies.names[found.j]
        near = SceneClearance(a, b, found.clearance, found.lower, stats)
        return about(near, {name: bodies.thing(k) for name, k in ((a, found.i), (b, found.j))})

    @property
    def names(self) -> list[str]:
        """Names of the bodies, in the order of their arrival."""
        return self._now(lambda bodies: list(bodies.row_of))

    @property
    def ids(self) -> NDArray[np.int64]:
        """Ids of the bodies, (n,), in the same order."""
        return self._now(Bodies.ids)

    @property
    def things(self) -> dict[str, Moving]:
        """All bodies by name, as they are at one moment: no thread changes one while the others are read."""
        return self._now(Bodies.things)

    @property
    def revision(self) -> int:
        """How often bodies have arrived, left or moved: the scene is as it was while this is."""
        return self._revision

    def __getitem__(self, name: str) -> Moving:
        return self._now(lambda bodies: bodies.thing(row_named(bodies, name)))

    def __contains__(self, name: object) -> bool:
        return self._now(lambda bodies: isinstance(name, str) and name in bodies.row_of)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return self._now(lambda bodies: len(bodies.row_of))

    def __repr__(self) -> str:
        return f"Scene({len(self)} bodies)"

    def __getstate__(self) -> dict[str, Any]:
        def now(bodies: Bodies) -> dict[str, Any]:
            return {
                "bodies": (bodies.things(), bodies.ids(), bodies.n_arrived),
                "filters": self._filters.snapshot(),
                "broad_phase": self._candidates.method,
                "revision": self._revision,
                "time": self._time,
            }

        return self._now(now)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._turns, self._candidates = Turns("a scene"), Candidates(state["broad_phase"])
        self._bodies, self._filters = Bodies.restored(*state["bodies"]), state["filters"]
        self._revision, self._time = state["revision"], state["time"]

    def _now(self, ask: Callable[[Bodies], T]) -> T:
        """Ask the bodies something that takes no time, while no thread changes them."""
        return self._turns.take(lambda: ask(self._settled()))

    def _edit(
        self, edit: Callable[[Bodies], Bodies], ready: Callable[[Bodies], Bodies] = Bodies.to_change
    ) -> None:
        """Change the bodies, or what is said of them, wholly or not at all; queries under way go on."""

        def alone() -> None:
            bodies = ready(self._settled())
            try:
                self._candidates.forget()
                bodies = edit(bodies)
            finally:
                self._bodies, self._revision = bodies, self._revision + 1

        self._turns.take(alone)

    def _say(self, a: str, b: str, is_ignored: bool) -> None:
        def change(bodies: Bodies) -> Bodies:
            self._filters.set_pair(id_named(bodies, a), id_named(bodies, b), is_ignored)
            return bodies

        self._edit(change)

    def _state(self, ask: Ask, of: Any = None) -> SceneState:
        """The scene as it is now, with the pairs that may touch: all, or those of some bodies."""
        items = None if of is None else as_which("of", of)

        def now(bodies: Bodies) -> SceneState:
            rows = None if items is None else rows_given(items, bodies)
            state = self._candidates.of(bodies, self._filters, ask)
            return state if rows is None else state.only_of(rows)

        return self._now(now)

    def _pairs(
        self, tolerance: float | None, min_separation: float, max_pairs: int
    ) -> tuple[SceneState, NDArray[np.int32]]:
        state = self._state(_ask(tolerance, min_separation))
        return state, state.pairs(as_count("max_pairs", max_pairs))


def _ask(tolerance: float | None, min_separation: float, assume_free_start: bool = False) -> Ask:
    return Ask.checked(
        tolerance=tolerance, min_separation=min_separation, assume_free_start=assume_free_start
    )
