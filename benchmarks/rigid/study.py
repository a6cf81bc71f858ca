"""Two studies: this library beside peers on the same meshes, and the cost against the number of triangles."""

from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np

import firstcontact as fc
from deformable.surfaces import Points
from report.section import Headline, Lines, Target
from report.tables import exponent, milliseconds, ratio_of
from rigid.cases import Case, with_motions
from rigid.models import Model, organic_body
from rigid.motions import Motions, random_poses, size
from rigid.own import Effort, best, run_method, run_singles, witnessed
from rigid.peers import COAL_DISTANCE, FCL_ADVANCE, FCL_DISTANCE, RAPIER_CAST, Outcome, Scene, measure

BATCH, SINGLE = "firstcontact, batch", "firstcontact, one call each"
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
QUICK_SIZES = (1_000, 10_000, 100_000)
SCALED_AT = 10_000  # triangles of the body whose motions are those of all sizes
CURVES = ("colliding", "free", "distance", "tree")
_CAST_TRIANGLES, _DISTANCE_TRIANGLES = 1_280, 5_120
_CAST_FASTER, _BATCH_FASTER = 300.0, 3.0


class Side(NamedTuple):
    """One method on one pair of meshes: seconds a query, and what its answers are worth."""

    pair: str
    query: str
    method: str
    seconds: float
    note: str = ""


class Point(NamedTuple):
    """The organic body of one size: seconds a query, and to build its two trees."""

    n_triangles: int
    seconds: dict[str, float]


def sphere(n_triangles: int) -> Model:
    """A subdivided icosahedron of at least so many triangles."""
    from trimesh.creation import icosphere

    mesh = icosphere(subdivisions=int(np.ceil(np.log(n_triangles / 20.0) / np.log(4.0) - 1e-9)))
    return np.array(mesh.vertices), np.array(mesh.faces, np.int32)


def peer_study(folder: Path, gap: float, n: int, limit: float) -> list[Side]:
    """First contacts beside rapier3d and python-fcl, distances beside python-fcl and coal."""
    sides, file = [], folder / "scene.npz"
    for pair, make in {"spheres": sphere, "organic bodies": organic_body}.items():
        rng, small, large = np.random.default_rng(1280), make(_CAST_TRIANGLES), make(_DISTANCE_TRIANGLES)
        sides += _casts(pair, with_motions(pair, small, small, gap, max(6, n // 8), rng), file, limit)
        sides += _distances(pair, large, random_poses(rng, large, large, 2 * n), file, limit)
    return sides


def _casts(pair: str, case: Case, file: Path, limit: float) -> list[Side]:
    """Means over all motions, colliding and free."""
    name = f"{pair}, {len(case.a[1]):,} triangles"
    seen = witnessed(case, 1000)
    batch, singles = run_method(case, "c2a", Effort(5, 2.0), seen), run_singles(case, 3)
    share = case.motions.is_colliding.mean()
    single = float(share * singles.seconds[0] + (1.0 - share) * singles.seconds[1])
    note = "" if seen is None else _worth(Outcome([], list(batch.times)), seen)
    sides = [Side(name, "first contact", BATCH, batch.mean, note)]
    sides.append(Side(name, "first contact", SINGLE, single))
    for peer in (RAPIER_CAST, FCL_ADVANCE):
        found = measure(peer, Scene(case.a, case.b, *case.motions[:2]), file, 1, limit)
        worth = "" if seen is None or not found.answers else _worth(found, seen)
        replaced = f"{found.n_unsound} unsound processes replaced" if found.n_unsound else ""
        note = "; ".join(filter(None, (worth, replaced, found.error)))
        sides.append(Side(name, "first contact", peer, found.mean, note))
    return sides


def _worth(found: Outcome, seen: Points) -> str:
    """How many of the contacts that were seen are missed, and how many are reported late."""
    times = np.array(found.answers)
    seen = seen[: len(times)]
    is_missed = np.isfinite(seen) & np.isinf(times)
    is_late = (times > seen) & ~is_missed
    by = times[is_late] - seen[is_late]
    late = f"{len(by)} late by up to {by.max():.0e}" if len(by) else "0 late"
    return f"{is_missed.sum()} missed, {late}, of {np.isfinite(seen).sum()}"


def _distances(pair: str, model: Model, poses: Points, file: Path, limit: float) -> list[Side]:
    name, mesh = f"{pair}, {len(model[1]):,} triangles", fc.Mesh(*model)
    found = fc.distance(mesh.at(poses), mesh).distance
    poses, found = poses[found > 0.0], found[found > 0.0]
    batch = best(lambda: fc.distance(mesh.at(poses), mesh), Effort(5, 2.0)) / len(poses)
    alone = [best(lambda pose=pose: fc.distance(mesh.at(pose), mesh), Effort(3, 1.0)) for pose in poses]
    sides = [Side(name, "distance", BATCH, batch), Side(name, "distance", SINGLE, float(np.mean(alone)))]
    for peer in (FCL_DISTANCE, COAL_DISTANCE):
        theirs = measure(peer, Scene(model, model, poses, poses), file, 3, limit)
        off = np.abs(np.array(theirs.answers) - found[: len(theirs.answers)]).max(initial=0.0)
        note = theirs.error or f"differs by {off / size(model):.0e} of the size at most"
        sides.append(Side(name, "distance", peer, theirs.mean, note))
    return sides


def peer_lines(sides: list[Side]) -> Lines:
    """Milliseconds a query, and how many times as long as this library's."""
    lines: Lines = [("pair", "query", "method", "answers", "ms", "÷ batch", "÷ one call")]
    for side in sides:
        is_peer = side.method not in (BATCH, SINGLE)
        ratios = [
            ratio_of(side.seconds / _own(sides, side, own)) if is_peer else "" for own in (BATCH, SINGLE)
        ]
        lines.append((*side[:3], side.note, milliseconds(side.seconds), *ratios))
    return lines


def peer_headlines(sides: list[Side]) -> list[Headline]:
    """One call from Python each, beside peers that have no batches either: contacts of spheres, distances."""
    found = []
    for side in sides:
        is_shown = side.pair.startswith("spheres") == (side.query != "distance")
        if is_shown and side.method not in (BATCH, SINGLE):
            note = side.note if side.query != "distance" or np.isnan(side.seconds) else ""
            own, what = _own(sides, side, SINGLE), f"{side.query}, {side.pair}, one call"
            found.append(Headline(what, own, side.method, side.seconds, note))
    return found


def _own(sides: list[Side], like: Side, method: str) -> float:
    """Seconds of this library on the same pair and query."""
    return next(side.seconds for side in sides if side[:3] == (like.pair, like.query, method))


def peer_targets(sides: list[Side]) -> list[Target]:
    """Ratios to reach, of those peers that were there."""
    found = []
    for side in sides:
        goals = {BATCH: _BATCH_FASTER, SINGLE: 1.0} if side.query == "distance" else {SINGLE: _CAST_FASTER}
        if side.method in (BATCH, SINGLE, FCL_ADVANCE) or np.isnan(side.seconds):
            continue
        for own, goal in goals.items():
            ratio = side.seconds / _own(sides, side, own)
            text = f"{side.pair}: {own} {goal:g} times as fast as {side.method}"
            found.append(Target(text, f"{ratio:.3g}", bool(ratio >= goal)))
    return found


def scaling_study(gap: float, n: int, effort: Effort, quick: bool) -> list[Point]:
    """The organic body at all sizes, on the same motions, which a few thousand triangles have decided."""
    body = organic_body(SCALED_AT)
    motions = with_motions("", body, body, gap, n, np.random.default_rng(10)).motions
    sizes = QUICK_SIZES if quick else SIZES
    return [_point(n_triangles, motions, gap, effort) for n_triangles in sizes]


def _point(n_triangles: int, motions: Motions, gap: float, effort: Effort) -> Point:
    model = organic_body(n_triangles)
    mesh, other = fc.Mesh(*model), fc.Mesh(*model)
    case = Case("", model, model, (mesh, other), motions, gap * size(model))
    began = perf_counter()
    fc.distance(mesh.at(motions.starts[:1]), other)  # builds the trees
    first = perf_counter() - began
    result = run_method(case, "c2a", effort, None)
    distance = best(lambda: fc.distance(mesh.at(motions.starts), other), effort) / len(motions.starts)
    seconds = dict(zip(CURVES, (*result.seconds, distance, first - distance), strict=True))
    return Point(len(model[1]), seconds)


def growth(points: list[Point], curve: str) -> float:
    """The power of the number of triangles that a time grows with."""
    return exponent([point.n_triangles for point in points], [point.seconds[curve] for point in points])


def scaling_lines(points: list[Point]) -> Lines:
    """Milliseconds by size; the fitted exponents at the foot."""
    lines: Lines = [("triangles each", *(f"{curve}, ms" for curve in CURVES))]
    lines += [
        (f"{point.n_triangles:,}", *(milliseconds(point.seconds[curve]) for curve in CURVES))
        for point in points
    ]
    return [*lines, ("exponent", *(f"{growth(points, curve):.2f}" for curve in CURVES))]
