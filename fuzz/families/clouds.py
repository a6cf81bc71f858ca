"""Points and strands: with convex shapes, meshes and each other, moving and at rest, rays and points at them.

The referees: for first contacts and distances, those of `rigid` and `overlap`, who see a cloud as its balls
and capsules, all pairs of them in extended precision; for rays and points, distances from all segments in
extended precision; for what deforms, the exact elementary queries of all pairs of elements.
"""

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np

import firstcontact as fc
from families import overlap, rigid
from pieces import pieces_of
from shrinking import fewer_and_rounder
from things import (
    cloud_in,
    convex_in,
    grid_in,
    mesh_in,
    motion_in,
    moving_of,
    pose_in,
    pose_of,
    scale_in,
    scaled,
    shape_of,
)

Real = np.longdouble

MOST_PAIRS = 40

# Of all lengths: what rounding may do to a distance.
ROUNDING = 1e-13

# Of a sum of radii: closer to it, rounding decides.
BORDER = 1e-12

# Halvings in the search for where a ray enters.
N_HALVINGS = 90


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A case of one of four sorts; some far from the origin, tiny or huge."""
    sort = str(rng.choice(["moving", "resting", "looking", "deforming"], p=[0.35, 0.25, 0.2, 0.2]))
    case = {"moving": _moving, "resting": _resting, "looking": _looking, "deforming": _deforming}[sort](rng)
    return scaled({"sort": sort} | case, scale_in(rng))


def a_cloud_and_another(rng: np.random.Generator) -> dict[str, Any]:
    """A cloud and something else, in any order."""
    pair = [cloud_in(rng), (cloud_in, convex_in, mesh_in)[rng.integers(3)](rng)]
    while len(pieces_of(pair[0])) * len(pieces_of(pair[1])) > MOST_PAIRS:
        pair[1] = (cloud_in, convex_in, mesh_in)[rng.integers(3)](rng)
    i = int(rng.integers(2))
    return {"a": pair[i], "b": pair[1 - i]}


def _moving(rng: np.random.Generator) -> dict[str, Any]:
    case = a_cloud_and_another(rng) | {"motion_a": motion_in(rng), "motion_b": motion_in(rng)}
    if rng.random() < 0.6:  # most of what is aimed at is met
        way = np.subtract(case["motion_b"]["place"], case["motion_a"]["place"])
        both = np.array(case["motion_b"]["velocity"])
        case["motion_a"]["velocity"] = (both + way * rng.choice([0.5, 1.0, 2.0])).tolist()
    elif rng.random() < 0.5:  # what is on the grid meets exactly
        case["motion_a"] |= {"turn": [0.0] * 3, "velocity": grid_in(rng, (3,), 3).tolist()}
        case["motion_b"] |= {"turn": [0.0] * 3, "velocity": [0.0] * 3}
    if rng.random() < 0.15:
        away = float(rng.choice([1e3, 1e6])) * rng.integers(-1, 2, 3)
        for name in ("motion_a", "motion_b"):
            case[name]["place"] = (np.array(case[name]["place"]) + away).tolist()
    separation = float(rng.choice([0.0, 0.0, 0.25]))
    return case | {"tolerance": float(rng.choice([1e-6, 1e-3, 1e-9])), "min_separation": separation}


def _resting(rng: np.random.Generator) -> dict[str, Any]:
    poses = [pose_in(rng, float(rng.choice([1.0, 2.0]))) for _ in range(2)]
    case = a_cloud_and_another(rng) | {"poses": poses, "pose_b": pose_in(rng, 1.0)}
    if rng.random() < 0.15:
        away = float(rng.choice([1e3, 1e6])) * rng.integers(-1, 2, 3)
        for pose in (*poses, case["pose_b"]):
            pose["place"] = (np.array(pose["place"]) + away).tolist()
    return case


def _looking(rng: np.random.Generator) -> dict[str, Any]:
    cloud, rays = cloud_in(rng), []
    places = [core.points[0] for core in pieces_of(cloud)] or [np.zeros(3)]
    for _ in range(4):
        origin = grid_in(rng, (3,)) if rng.random() < 0.4 else rng.uniform(-2, 2, 3)
        aim = places[rng.integers(len(places))] + rng.choice([0.0, 0.1, 0.5]) * rng.normal(size=3)
        way = aim - origin if rng.random() < 0.7 else rng.integers(-1, 2, 3).astype(float)
        way = (way if np.any(way) else np.array([1.0, 0.0, 0.0])) * rng.choice([1.0, 1e-3, 1e3])
        rays.append({"origin": origin.tolist(), "way": way.tolist()})
    return {"cloud": cloud, "rays": rays, "pose": pose_in(rng, float(rng.choice([0.0, 1.0, 1e4])))}


def _deforming(rng: np.random.Generator) -> dict[str, Any]:
    case = a_cloud_and_another(rng)
    while not all(case[name]["kind"] in ("mesh", "points", "strands") for name in "ab"):
        case = a_cloud_and_another(rng)
    if rng.random() < 0.3 and case["a"]["kind"] != "mesh":
        del case["b"]  # alone, with itself
    case["frames"] = []
    on_grid = rng.random() < 0.5
    for shape in [shape_of(case[name]) for name in "ab" if name in case]:
        n = shape.n_vertices
        start = shape.vertices if rng.random() < 0.5 else grid_in(rng, (n, 3))
        step = grid_in(rng, (n, 3)) if on_grid else rng.normal(size=(n, 3))
        step = step[:1] if rng.random() < 0.3 and n else step
        case["frames"].append([start.tolist(), (start + step).tolist()])
    case["min_separation"] = float(rng.choice([0.0, 0.0, 0.125]))
    return case


def check(case: dict[str, Any]) -> str | None:
    """Ask what is to be asked of a case of its sort."""
    checks = {"resting": overlap.check, "moving": _moving_fault, "looking": _looking_fault}
    return (checks | {"deforming": _deforming_fault})[case["sort"]](case)


def _moving_fault(case: dict[str, Any]) -> str | None:
    fault = rigid.check(case)
    if fault:
        return fault
    x, y = (moving_of(shape_of(case[name]), case[f"motion_{name}"]) for name in "ab")
    options = {name: case[name] for name in ("tolerance", "min_separation")}
    found = fc.first_contact(x, y, **options)
    if fc.is_free(x, y, **options) and found and found.time_upper <= 1.0:
        return f"is_free is True, and a contact at {found.time}"
    if not found and not fc.is_free(x, y, **options):
        return "is_free is False, and there is no contact"
    return None


def _looking_fault(case: dict[str, Any]) -> str | None:
    rotation, place = pose_of(case["pose"])
    cloud, pieces = shape_of(case["cloud"]).at((rotation, place)), pieces_of(case["cloud"])
    turned = rotation.astype(Real)
    ends = np.array([[core.points[0], core.points[-1]] for core in pieces], Real).reshape(-1, 2, 3)
    ends, radii = ends @ turned.T + place, np.array([core.radius for core in pieces], Real)
    for ray in case["rays"]:
        origin, way = np.array(ray["origin"], Real) + place, np.array(ray["way"], float)
        at = origin.astype(float)
        lengths = np.abs(ends).max(initial=0.0) + radii.max(initial=0.0) + np.abs(origin).max()
        slack = ROUNDING * float(lengths)
        fault = _point_fault(cloud, at, (_gaps(at, ends) - radii).min(initial=np.inf), slack)
        fault = fault or _ray_fault(cloud, (at, way), (ends, radii), 100 * slack)
        if fault:
            return f"{case['cloud']['kind']}: {fault}"
    return None


def _gaps(points: Any, ends: Any) -> Any:
    """Distances of points (3,) or (n, 3) from segments (n, 2, 3), in extended precision."""
    start, edge = ends[:, 0], ends[:, 1] - ends[:, 0]
    seen = np.asarray(points, Real) - start
    squared = (edge * edge).sum(axis=1)
    along = np.clip((seen * edge).sum(axis=1) / np.where(squared > 0, squared, 1), 0, 1)
    apart = seen - along[:, None] * edge
    return np.sqrt((apart * apart).sum(axis=1))


def _point_fault(cloud: Any, point: Any, truth: Any, slack: float) -> str | None:
    found = fc.signed_distance(cloud, point)
    if truth == np.inf:
        is_well = found.distance == np.inf and not fc.contains(cloud, point)
        return None if is_well else f"without points, the distance is {found.distance}"
    if abs(found.distance - float(truth)) > slack:
        return f"the signed distance is {found.distance}, and not {truth}"
    if abs(truth) > slack and bool(fc.contains(cloud, point)) != (truth < 0):
        return f"contains is wrong at the distance {truth}"
    if abs(abs(found.distance) - float(np.linalg.norm(found.points - point))) > 100 * slack:
        return "the nearest point is not at the distance"
    return None


def _ray_fault(cloud: Any, ray: Any, solids: Any, slack: float) -> str | None:
    (origin, way), (ends, radii) = ray, solids
    found, every = fc.ray_cast(cloud, origin, way), fc.ray_cast(cloud, origin, way, hits="all")
    if found.time != min(every.time.tolist(), default=np.inf) or np.any(np.diff(every.time) < 0.0):
        return f"the first hit is at {found.time}, all are at {every.time.tolist()}"
    if bool(fc.ray_cast(cloud, origin, way, hits="any").hit) != bool(found.hit):
        return "any differs from first"
    if len(radii) == 0:
        return None
    speed = np.sqrt((way.astype(Real) ** 2).sum())
    for time in every.time.tolist():
        off = _gaps(origin + Real(time) * way, ends) - radii
        if float(np.abs(off).min()) > slack + 1e-13 * time * float(speed):
            return f"a hit at {time} is {float(np.abs(off).min())} from every surface"
    latest = _entered(origin, way, (ends, radii), slack)
    if found.time * float(speed) > latest + slack:
        return f"the first hit is at {found.time}, and a surface is met at {latest / float(speed)}"
    return None


def _entered(origin: Any, way: Any, solids: Any, slack: float) -> float:
    """When a ray of unit speed has clearly met a surface, by the convex distance from each segment."""
    ends, radii = solids
    unit = way.astype(Real) / np.sqrt((way.astype(Real) ** 2).sum())

    def off(times: Any) -> Any:
        return _gaps(np.asarray(origin, Real) + times[:, None] * unit, ends) - radii

    def halved(inside: Any, outside: Any, limit: float) -> Any:
        """Where between two times the distance passes a limit: a time that is clearly past it."""
        for _ in range(N_HALVINGS):
            middle = (inside + outside) / 2
            is_in = off(middle) <= limit
            inside, outside = np.where(is_in, middle, inside), np.where(is_in, outside, middle)
        return inside

    nothing = np.zeros(len(radii), Real)
    far = np.abs(ends - origin).sum(axis=2).max() + radii.max() + slack
    low, high = nothing, nothing + far
    for _ in range(2 * N_HALVINGS):
        third = (high - low) / 3
        is_left = off(low + third) <= off(high - third)
        low, high = np.where(is_left, low, low + third), np.where(is_left, high - third, high)
    is_met, starts_in = off(low) < -slack, off(nothing) <= 0
    enters = np.where(is_met & ~starts_in, halved(low, nothing, -slack), np.inf)
    leaves = np.where(off(nothing) < -slack, halved(nothing, nothing + 2 * far, slack), np.inf)
    return float(min(enters.min(), leaves.min()))


def _deforming_fault(case: dict[str, Any]) -> str | None:
    shapes = [shape_of(case[name]) for name in "ab" if name in case]
    frames = [[np.reshape(frame, (-1, 3)).astype(float) for frame in both] for both in case["frames"]]
    things = [shape.deforming(*both) for shape, both in zip(shapes, frames, strict=True)]
    separation = case["min_separation"]
    found = fc.contacts(*things, min_separation=separation)
    first = fc.first_contact(*things, min_separation=separation)
    listed_first, proven = found.time.min(initial=np.inf), found.time_upper.min(initial=np.inf)
    if not listed_first <= first.time <= proven:
        return f"the first contact is at {first.time}, and of all between {listed_first} and {proven}"
    if fc.safe_step(*things, min_separation=separation) != min(first.time, 1.0):
        return "safe_step is not the first contact"
    if fc.is_free(*things, min_separation=separation) == bool(first):
        return f"is_free is {not first} beside a first contact at {first.time}"
    rows = zip(found.kind, found.ids_a, found.ids_b, found.time, found.time_upper, strict=True)
    listed = {
        (fc.ContactKind(int(kind)).name, int(i), int(j)): (float(time), float(upper))
        for kind, i, j, time, upper in rows
        if kind not in (fc.ContactKind.SEGMENT_FACE, fc.ContactKind.FACE_SEGMENT)
    }
    return _rows_fault(listed, _pairs(shapes, frames), separation)


class Pair(NamedTuple):
    """Two features: their name and ids, four corners at the start and at the end, and the sum of radii."""

    key: tuple[str, int, int]
    start: Any
    end: Any
    reach: float

    def times(self, separation: float) -> tuple[float, float] | None:
        """When they come within their radii and a distance: by the exact query; None if never."""
        is_edges = "FACE" not in self.key[0]
        ask = fc.edge_edge_ccd if is_edges else fc.vertex_face_ccd
        one = ask(self.start[None], self.end[None], min_separation=separation, exact=True)
        return (float(one.time[0]), float(one.time_upper[0])) if one.hit[0] else None


def _rows_fault(listed: dict[Any, Any], pairs: Iterator[Pair], separation: float) -> str | None:
    """Is each pair listed that touches, at its time, and no other?"""
    for pair in pairs:
        reach = (pair.reach + separation) * (1 + 2.0**-50)
        truth, found = pair.times(reach), listed.pop(pair.key, None)
        if found and not (truth or pair.times(reach * (1 + BORDER))):
            return f"{pair.key[0]} is listed at {found[0]}, and does not touch"
        if truth and not found and pair.times(reach * (1 - BORDER)):
            return f"{pair.key[0]} touches at {truth[0]}, and is not listed"
        if truth and found and not (found[0] <= truth[1] and truth[0] <= found[1]):
            return f"{pair.key[0]} touches at {truth}, and is listed at {found}"
    return f"{next(iter(listed))[0]} is listed, and no pair" if listed else None


def _pairs(shapes: list[Any], frames: list[Any]) -> Iterator[Pair]:
    """All pairs of features that count."""
    if len(shapes) == 1:
        for (i, one), (j, other) in combinations(enumerate(_elements(shapes[0])), 2):
            if not set(one[0]) & set(other[0]) and not _are_neighbours(shapes[0], i, j):
                yield _pair((f"{shapes[0].element}_" * 2, i, j), (one, other), (frames[0], frames[0]))
        return
    names = [["EDGE", "FACE"] if not shape.is_cloud else [shape.element, "POINT"] for shape in shapes]
    if not (shapes[0].is_cloud and shapes[1].is_cloud):
        yield from _face_pairs(shapes, frames)
    if any(not shape.is_cloud for shape in shapes) and any(isinstance(s, fc.Points) for s in shapes):
        return  # faces have all that their edges have
    for (i, one), (j, other) in product(*(enumerate(_elements(shape)) for shape in shapes)):
        yield _pair((f"{names[0][0]}_{names[1][0]}_", i, j), (one, other), frames)


def _face_pairs(shapes: list[Any], frames: list[Any]) -> Iterator[Pair]:
    """Points of a cloud with faces of a mesh."""
    k = 0 if shapes[0].is_cloud else 1
    cloud, mesh = shapes[k], shapes[1 - k]
    for v, f in product(range(cloud.n_vertices), range(mesh.n_faces)):
        radius = max(r for ends, r in _elements(cloud) if v in ends)
        key = ("FACE_POINT_", f, v) if k else ("POINT_FACE_", v, f)
        sides = ((v,), radius), (tuple(mesh.faces[f]), 0.0)
        yield _pair(key, sides, (frames[k], frames[1 - k]))


def _pair(key: tuple[str, int, int], sides: Any, frames: Any) -> Pair:
    corners = [
        np.concatenate([both[step][list(ids)] for (ids, _), both in zip(sides, frames, strict=True)])
        for step in (0, 1)
    ]
    return Pair((key[0][:-1], *key[1:]), *corners, sides[0][1] + sides[1][1])


def _elements(shape: Any) -> list[tuple[tuple[int, int], float]]:
    """Ends and radii of segments, of points as segments of no length, or of a mesh's edges."""
    if not shape.is_cloud:
        return [((int(p), int(q)), 0.0) for p, q in shape.edges]
    if isinstance(shape, fc.Points):
        return [((i, i), float(r)) for i, r in enumerate(shape.radius)]
    return [((int(p), int(q)), float(max(shape.radius[p], shape.radius[q]))) for p, q in shape.segments]


def _are_neighbours(cloud: Any, i: int, j: int) -> bool:
    """Are two segments of one strand no farther apart along it than their radii together?"""
    if isinstance(cloud, fc.Points) or cloud.strand_ids[i] != cloud.strand_ids[j]:
        return False
    last, first = int(cloud.segments[i, 1]), int(cloud.segments[j, 0])
    between = np.linalg.norm(np.diff(cloud.positions[last : first + 1], axis=0), axis=1).sum()
    (_, r), (_, s) = _elements(cloud)[i], _elements(cloud)[j]
    return bool(between <= r + s)


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Straight poses and motions; fewer elements, unless frames count them; rounder numbers."""
    for name in ("motion_a", "motion_b", "pose_b", "pose"):
        for part in ({"turn": [0.0] * 3}, {"velocity": [0.0] * 3}, {"rotation": np.eye(3).tolist()}):
            if name in case and next(iter(part)) in case[name] and case[name] != case[name] | part:
                yield case | {name: case[name] | part}
    if case["sort"] != "deforming":
        yield from (v for v in fewer_and_rounder(case) if all(np.any(r["way"]) for r in v.get("rays", [])))
