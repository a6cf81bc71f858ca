"""The queries over a step: every contact, the first contact, the step that is safe."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

import numpy as np

from firstcontact._validate import as_flag, as_scalar
from firstcontact.deformable.contact_list import Report, Search, all_contacts, first_contacts, silent
from firstcontact.deformable.culling import Culling
from firstcontact.deformable.first_times import simultaneous
from firstcontact.deformable.problem import Problem, pose_problem
from firstcontact.deformable.rows import contact_rows
from firstcontact.queries.contact_results import Contacts, ContactStats, FirstContact
from firstcontact.shapes.mesh import as_moving
from firstcontact.status import Status


def contacts(
    a: Any,
    b: Any = None,
    *,
    exact: bool = True,
    min_separation: float = 0.0,
    time_tolerance: float = 1e-9,
    culling: Culling | None = None,
    progress: bool = False,
) -> Contacts:
    """Find every vertex-face and edge-edge contact of a step; with `a` alone, every self-contact.

    Complete and never late. With ``exact=True`` the list is the mathematical truth for the given doubles;
    otherwise pairs that floating point cannot decide are in it too, as `Status.UNDECIDED`. Each pair of
    features is there once; pairs that share a vertex are left out. The same bytes for any number of threads.

    Parameters
    ----------
    a, b : what `Mesh.deforming` gives; a mesh, or a `trimesh.Trimesh`, stands still
    exact : decide ties and near ties in exact arithmetic
    min_separation : a distance up to this counts as contact
    time_tolerance : width to which each time is narrowed down
    culling : stages to switch off, for study
    progress : show a progress bar

    Examples
    --------
    >>> from firstcontact import Mesh
    >>> floor = Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
    >>> leaf = Mesh([[0, 0, 1], [1, 0, 2], [0, 1, 2]], [[0, 1, 2]])
    >>> c = contacts(leaf.deforming(leaf.vertices, leaf.vertices - [0, 0, 4]), floor)
    >>> c.time.round(6).tolist(), len(contacts(Mesh([], [])))
    ([0.25, 0.5, 0.5], 0)
    """
    problem, settings = _posed(a, b, exact, min_separation, time_tolerance, culling)
    began = perf_counter()
    with _progress(progress) as report:
        search = all_contacts(problem, *settings, report)
    stats = _stats(problem, search, perf_counter() - began)
    return Contacts(*contact_rows(problem, search.found), stats=stats)


def first_contact(
    a: Any,
    b: Any = None,
    *,
    exact: bool = True,
    min_separation: float = 0.0,
    culling: Culling | None = None,
    progress: bool = False,
) -> FirstContact:
    """When, where and between which features do moving things first touch? With `a` alone: itself.

    Never late, never missed; with ``exact=True`` the time is bracketed by neighbouring doubles (to within
    1e-12 where over a thousand pairs touch at once).

    Parameters
    ----------
    a, b, exact, min_separation, culling, progress : as for `contacts`

    Examples
    --------
    >>> from firstcontact import Mesh
    >>> floor = Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
    >>> leaf = Mesh([[0, 0, 1], [1, 0, 2], [0, 1, 2]], [[0, 1, 2]])
    >>> hit = first_contact(leaf.deforming(leaf.vertices, leaf.vertices - [0, 0, 4]), floor)
    >>> hit.time, hit.features.tolist()
    (0.25, [[0, 0, 0]])
    >>> bool(first_contact(leaf, floor))
    False
    """
    problem, settings = _posed(a, b, exact, min_separation, _COARSE, culling)
    began = perf_counter()
    with _progress(progress) as report:
        search = first_contacts(problem, *settings, False, report)
    first = simultaneous(problem, search, settings[1])
    stats = _stats(problem, search, perf_counter() - began)
    if len(first.time) == 0:
        nothing = np.empty((0, 3))
        return FirstContact(
            Status.SEPARATED, np.inf, np.inf, nothing, nothing.copy(), np.empty((0, 3), np.int32), stats
        )
    rows = contact_rows(problem, first)
    features = np.stack([rows.kind, rows.ids_a, rows.ids_b], axis=1).astype(np.int32)
    return FirstContact(
        Status(int(rows.status[0])),
        float(rows.time[0]),
        float(rows.time_upper.min()),
        rows.points,
        rows.normals,
        features,
        stats,
    )


def safe_step(
    a: Any,
    b: Any = None,
    *,
    exact: bool = True,
    min_separation: float = 0.0,
    culling: Culling | None = None,
    progress: bool = False,
) -> float:
    """How far along the step, in [0, 1], is it before the first contact?

    The `time` of `first_contact`: never later than the true first contact, and with ``exact=True`` by at
    most one double earlier (by 1e-12 where over a thousand pairs touch at once).

    Parameters
    ----------
    a, b, exact, min_separation, culling, progress : as for `contacts`

    Examples
    --------
    >>> from firstcontact import Mesh
    >>> floor = Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
    >>> leaf = Mesh([[0, 0, 1], [1, 0, 2], [0, 1, 2]], [[0, 1, 2]])
    >>> falling = leaf.deforming(leaf.vertices, leaf.vertices - [0, 0, 4])
    >>> safe_step(falling, floor), safe_step(falling, floor, min_separation=0.5), safe_step(leaf, floor)
    (0.25, 0.125, 1.0)
    """
    problem, settings = _posed(a, b, exact, min_separation, _COARSE, culling)
    with _progress(progress) as report:
        search = first_contacts(problem, *settings, True, report)
    first = simultaneous(problem, search, settings[1])
    return float(np.min(first.time, initial=1.0))


# Width to which times are narrowed down in a search for the first; what it finds is narrowed down further.
_COARSE = 1e-9


def _posed(
    a: Any, b: Any, exact: bool, min_separation: float, time_tolerance: float, culling: Culling | None
) -> tuple[Problem, tuple[float, bool]]:
    """Check the input, and make it ready for the search; then what is common to all searches."""
    if culling is not None and not isinstance(culling, Culling):
        raise TypeError(f"culling must be a firstcontact.Culling; received {type(culling).__name__}")
    things = [as_moving(a)] if b is None else [as_moving(a), as_moving(b)]
    separation = as_scalar("min_separation", min_separation, 0.0)
    settings = as_scalar("time_tolerance", time_tolerance, 0.0), as_flag("exact", exact)
    return pose_problem(things, separation, culling or Culling()), settings


@contextmanager
def _progress(is_wanted: bool) -> Iterator[Report]:
    """A report that shows pairs of triangles and contacts so far, or nothing."""
    if not as_flag("progress", is_wanted):
        yield silent
        return
    from tqdm import tqdm

    with tqdm(desc="searching", unit=" triangle pairs", unit_scale=True) as bar:

        def report(n_pairs: int, n_contacts: int) -> None:
            bar.set_postfix(contacts=n_contacts, refresh=False)
            bar.update(n_pairs - bar.n)

        yield report


def _stats(problem: Problem, search: Search, seconds: float) -> ContactStats:
    """Counters and times of a search."""
    settling = search.seconds_settling
    times = {"bounds": problem.seconds, "search": seconds - settling, "settling": settling}
    return ContactStats(
        **search.tally,
        trees=tuple(str(tree.action) for tree in problem.trees),
        seconds=times | {"total": problem.seconds + seconds},
    )
