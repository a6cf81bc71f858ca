"""Polygons with holes and long curves, at rest and moving rigidly: the referee is shapely.

Outlines are stars, combs, slivers, rings of cells of a grid, spirals, convex; they run either way, have
points on their edges, and are tiny, huge or far away. Sides, distances and common points are compared with
shapely's, first contacts, spans and clearances with its distances at many times, depths with its union of
sums of triangles.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import shapely

import firstcontact as fc

# What rounding may do to distances, in units of all numbers.
ROUNDING = 1e-12
N_TIMES = 65
SECONDS_A_CASE = 20.0

Array = np.ndarray[Any, np.dtype[np.float64]]


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two things, where they stand and how they move."""
    scale = float(rng.choice([1.0, 1e-12, 1e12, 2.0**-60, 1e-3], p=[0.7, 0.1, 0.1, 0.05, 0.05]))
    off = scale * float(rng.choice([0.0, 1.0, 1e3, 1e6, 1e9], p=[0.6, 0.2, 0.1, 0.05, 0.05]))
    is_grid = bool(rng.random() < 0.5)
    things = [_thing(rng, scale, is_grid) for _ in range(2)]
    place = np.round(off * rng.normal(size=2) / scale) * scale
    way = rng.integers(-8, 9, 2) / 2.0 if is_grid else 2.0 * rng.normal(size=2)
    speed = -2.0 * way * rng.choice([0.0, 1.0, 1.0]) + rng.choice([0.0, 1.0]) * rng.integers(-3, 4, 2)
    turn = float(rng.choice([0.0, 0.0, 0.5 * np.pi, np.pi, rng.uniform(-4, 4), 6 * np.pi, 40.0]))
    return {
        "a": things[0],
        "b": things[1],
        "angle": float(rng.choice([0.0, 0.0, rng.uniform(-4, 4)])),
        "place": place.tolist(),
        "way": (scale * way).tolist(),
        "velocity": (scale * speed).tolist(),
        "turn": turn,
        "path": str(rng.choice(["constant", "screw", "throw"])),
        "gap": scale * 10.0 ** float(rng.uniform(-12, -3)),
        "separation": scale * float(rng.choice([0.0, 0.0, 0.1, 0.5])),
    }


def _thing(rng: np.random.Generator, scale: float, is_grid: bool) -> dict[str, Any]:
    """Rings, of a polygon or a curve."""
    rings = _cells(rng) if is_grid else [_ring(rng)]
    if not is_grid and rng.random() < 0.4:
        rings += _holes(rng, rings[0])
    rings = [_varied(rng, ring) * scale for ring in rings]
    kind = str(rng.choice(["polygon", "polygon", "polygon", "curve", "closed"]))
    return {"kind": kind, "rings": [ring.tolist() for ring in rings]}


def _ring(rng: np.random.Generator) -> Array:
    kind, n = int(rng.integers(6)), int(rng.integers(3, 40))
    turns = 2.0 * np.pi * np.arange(n) / n
    circle = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    if kind == 0:
        return circle * rng.uniform(0.3, 2.0)
    if kind == 1:
        return circle * rng.uniform(0.2, 2.0, (n, 1))
    if kind == 2:  # a comb
        x = np.repeat(np.arange(n // 2 + 1.0), 2)
        y = np.tile([0.0, 1.0, 1.0, 0.0], len(x))[: len(x)] + 0.5
        return np.concatenate([np.stack([x, y], axis=1), [[x[-1], 0.0], [0.0, 0.0]]]) * 0.2
    if kind == 3:  # a sliver
        height = float(rng.choice([1e-15, 1e-9, 1e-3]))
        return np.array([[-2.0, 0.0], [2.0, 0.3], [0.1, 0.015 + height]])
    if kind == 4:  # a spiral
        r, t = np.linspace(0.2, 2.0, n), np.linspace(0, 4 * np.pi, n)
        arm = np.stack([r * np.cos(t), r * np.sin(t)], axis=1)
        return np.concatenate([arm, 1.05 * arm[::-1]])
    return circle * np.where(np.arange(n) % 2, 2.0, float(rng.choice([1e-6, 0.1, 1.0])))[:, np.newaxis]


def _cells(rng: np.random.Generator) -> list[Array]:
    """What some cells of a grid cover: right angles, edges on lines, holes."""
    m, k = rng.integers(2, 7, 2)
    is_in = rng.random((m, k)) < 0.75
    is_in[0] = True
    boxes = [shapely.box(i, j, i + 1, j + 1) for i, j in np.argwhere(is_in)]
    whole = shapely.unary_union(boxes)
    best = max(getattr(whole, "geoms", [whole]), key=lambda part: part.area)
    rings = [best.exterior, *best.interiors]
    return [np.array(ring.coords)[:-1] * 0.5 - 0.5 * np.array([m // 2, k // 2]) for ring in rings]


def _holes(rng: np.random.Generator, ring: Array) -> list[Array]:
    """Small copies of stars that are inside."""
    outer = shapely.Polygon(ring)
    if not outer.is_valid:
        return []
    found: list[Any] = []
    for _ in range(8):
        hole = 0.3 * rng.random() * _ring(rng) + rng.uniform(-1.5, 1.5, 2)
        part = shapely.Polygon(hole)
        if part.is_valid and outer.contains_properly(part) and not any(part.intersects(one) for one in found):
            found.append(part)
    return [np.array(part.exterior.coords)[:-1] for part in found]


def _varied(rng: np.random.Generator, ring: Array) -> Array:
    """The same ring from another point on, the other way around, with points on its edges."""
    if rng.random() < 0.5:
        ring = ring[::-1]
    ring = np.roll(ring, int(rng.integers(len(ring))), axis=0)
    if rng.random() < 0.3:
        ring = np.stack([ring, 0.5 * (ring + np.roll(ring, -1, axis=0))], axis=1).reshape(-1, 2)
    return ring


def check(case: dict[str, Any]) -> str | None:
    """Ask for all, and compare."""
    a, b = (_shape(case[name]) for name in "ab")
    if a is None or b is None:
        return None
    if a == "refused" or b == "refused":
        return "what is a polygon is refused"
    place = np.array(case["place"])
    pose_a, pose_b = (0.0, place), (case["angle"], place + case["way"])
    return (
        _of_itself(a)
        or _at_rest(a, b, pose_a, pose_b)
        or _nearly_touching(a, b, pose_a, pose_b, case["gap"])
        or _moving(a, b, pose_a, pose_b, case)
        or _depth(a, b, pose_a, pose_b)
    )


def _shape(data: dict[str, Any]) -> Any:
    """The thing; None where the rings make no polygon."""
    rings = data["rings"]
    if data["kind"] != "polygon":
        points = [point for ring in rings for point in ring]
        return fc.Polyline(points, list(map(len, rings)), closed=data["kind"] == "closed")
    try:
        return fc.Polygon(rings[0], rings[1:])
    except ValueError:
        return None if _is_polygon(rings) is not True else "refused"


def _is_polygon(rings: list[Any]) -> bool:
    curves = [shapely.LinearRing(ring) for ring in rings]
    if any(not curve.is_simple for curve in curves):
        return False
    if any(p.intersects(q) for i, p in enumerate(curves) for q in curves[:i]):
        return False
    parts = [shapely.Polygon(ring) for ring in rings]
    if any(not parts[0].contains(part) for part in parts[1:]):
        return False
    return not any(p.contains(q) or q.contains(p) for i, p in enumerate(parts[1:]) for q in parts[1 : i + 1])


def as_shapely(shape: Any, points: Array) -> Any:
    """The thing with its points elsewhere."""
    rows = np.split(points, np.cumsum(shape.counts)[:-1])
    if isinstance(shape, fc.Polygon):
        return shapely.Polygon(rows[0], rows[1:])
    if shape.closed:
        rows = [np.concatenate([row, row[:1]]) for row in rows]
    return shapely.MultiLineString(rows)


def _size(*arrays: Any) -> float:
    return max(float(np.abs(np.asarray(array)).max(initial=0.0)) for array in arrays)


def _of_itself(a: Any) -> str | None:
    truth, size = as_shapely(a, a.vertices), _size(a.vertices)
    points = np.concatenate(
        [a.vertices, a.vertices[a.edges].mean(axis=1), 1.3 * a.vertices, a.vertices[::-1] * 0.7]
    )
    seen, border = shapely.points(points), truth.boundary if isinstance(a, fc.Polygon) else truth
    on_border, told = border.intersects(seen), fc.signed_distance(a, points)
    gap = border.distance(seen)
    if np.abs(np.abs(told.distance) - gap).max() > ROUNDING * size:
        return "a point is at another distance"
    if not isinstance(a, fc.Polygon):
        return None
    is_in = truth.contains(seen)
    if (~on_border & (fc.contains(a, points) != is_in)).any():
        return "a point is on the other side"
    if (~on_border & ((told.distance < 0) != is_in) & (told.distance != 0)).any():
        return "a signed distance has the wrong sign"
    if abs(a.area - truth.area) > ROUNDING * size * size:
        return "the area is another"
    return None


def _at_rest(a: Any, b: Any, pose_a: Any, pose_b: Any) -> str | None:
    one, other = a.at(pose_a), b.at(pose_b)
    points = one.vertices(0), other.vertices(0)
    p, q = as_shapely(a, points[0]), as_shapely(b, points[1])
    size, gap = _size(*points), p.distance(q)
    told, touches = fc.distance(one, other), fc.intersects(one, other)
    if touches != (told.distance == 0.0):
        return "distance and intersects differ"
    if abs(told.distance - gap) > ROUNDING * size:
        return f"the distance is {told.distance}, and shapely's {gap}"
    if gap == 0.0 and not touches and pose_b[0] == 0.0 and pose_a[1].max() == pose_a[1].min() == 0.0:
        return "what touches is told to be apart"
    if p.distance(shapely.Point(told.points_a)) > ROUNDING * size:
        return "a closest point is not of a"
    if q.distance(shapely.Point(told.points_b)) > ROUNDING * size:
        return "a closest point is not of b"
    pairs = fc.intersections(_still(a, points[0]), _still(b, points[1]))
    edges = [shapely.linestrings(own[shape.edges]) for shape, own in zip((a, b), points, strict=True)]
    truth = np.argwhere(shapely.intersects(edges[0][:, np.newaxis], edges[1]))
    if not np.array_equal(truth, np.stack([pairs.faces_a, pairs.faces_b], axis=1)):
        return "other edges meet than shapely's"
    return None


def _nearly_touching(a: Any, b: Any, pose_a: Any, pose_b: Any, gap: float) -> str | None:
    """Bring b so near that hardly a gap is left: distances are as right as others."""
    one, other = a.at(pose_a), b.at(pose_b)
    p, q = (as_shapely(shape, thing.vertices(0)) for shape, thing in ((a, one), (b, other)))
    ends = np.array(shapely.shortest_line(p, q).coords)
    length = np.linalg.norm(ends[1] - ends[0])
    if not length > gap:
        return None
    return _at_rest(a, b, pose_a, (pose_b[0], pose_b[1] + (ends[0] - ends[1]) * (1.0 - gap / length)))


def _still(shape: Any, points: Array) -> Any:
    """The curve of a thing with its points elsewhere."""
    closed = isinstance(shape, fc.Polygon) or shape.closed
    return fc.Polyline(points, shape.counts, closed=closed)


def _moving(a: Any, b: Any, pose_a: Any, pose_b: Any, case: dict[str, Any]) -> str | None:
    one = a.at(pose_a)
    if case["path"] == "screw":
        end = pose_b[0] + np.remainder(case["turn"], 3.0), np.array(pose_b[1]) + case["velocity"]
        thing = b.moving(pose_b, end, path="screw")
    else:
        words = {"velocity": case["velocity"], "angular_velocity": case["turn"]}
        if case["path"] == "throw":
            words["acceleration"] = (-1.7 * np.array(case["velocity"])[::-1]).tolist()
        thing = b.moving(pose_b, **words)
    separation = case["separation"]
    times = np.linspace(0.0, 1.0, N_TIMES)
    fixed = as_shapely(a, one.vertices(0))
    shapely.prepare(fixed)
    gaps = np.array([fixed.distance(as_shapely(b, thing.vertices(t))) for t in times])
    size = _size(one.vertices(0), *(thing.vertices(t) for t in times[::8]))
    hair = 1e-9 * _size(a.vertices, b.vertices) + 1e-11 * size
    found = fc.first_contact(thing, one, min_separation=separation)
    under = times[gaps < separation - hair]
    if separation == 0.0:
        deep = [t for t in times[gaps == 0.0] if _overlap(fixed, as_shapely(b, thing.vertices(t)), hair)]
        under = np.array(deep)
    if len(under) and not found.time <= under[0]:
        return f"the first contact is told at {found.time}, and things are in contact at {under[0]}"
    if found and found.status.name.startswith("CONTACT"):
        gap = fixed.distance(as_shapely(b, thing.vertices(found.time)))
        if gap > separation + 2e-6 * (_size(np.ptp(a.vertices, axis=0), np.ptp(b.vertices, axis=0))) + hair:
            return "a contact is told too early"
    if found.time_upper < np.inf and found.time_upper < found.time:
        return "the times are not in order"
    step = fc.safe_step(thing, one, min_separation=separation)
    if step != min(found.time, 1.0) or fc.is_free(thing, one, min_separation=separation) != (not found):
        return "safe_step or is_free differ from the first contact"
    near = fc.clearance(thing, one)
    if near.distance_lower > gaps.min() + hair or near.distance < near.distance_lower:
        return f"the clearance is {near.distance_lower}, and things are at {gaps.min()}"
    then = fixed.distance(as_shapely(b, thing.vertices(near.time)))
    if abs(then - near.distance) > hair:
        return f"the clearance is {near.distance} at its time, and shapely's {then}"
    spans = fc.contact_intervals(thing, one)
    for t, gap in zip(times, gaps, strict=True):
        is_in = any(
            first <= t <= last for first, last in zip(spans.touch[:, 0], spans.part[:, 1], strict=True)
        )
        if gap == 0.0 and not is_in and _overlap(fixed, as_shapely(b, thing.vertices(t)), hair):
            return f"at {t} things are in contact, and in no span"
        sure = zip(spans.touch[:, 1], spans.part[:, 0], spans.is_proven, strict=True)
        if gap > hair + 1e-5 * size and any(
            first < t < last and is_proven for first, last, is_proven in sure
        ):
            return f"at {t} things are apart by {gap}, and in a span that is proven"
    return None


def _overlap(p: Any, q: Any, hair: float) -> bool:
    """Do they overlap by more than rounding?"""
    shared = p.intersection(q)
    if shared.is_empty:
        return False
    if shared.area > hair * (p.length + q.length):
        return True
    return any(_crosses(u, v, hair) for u, v in ((p, q), (q, p)))


def _crosses(p: Any, q: Any, hair: float) -> bool:
    """Does a go on beyond b on both sides? Seen by moving it a hair: it still meets it."""
    ways = (
        hair * 4.0 * np.stack([np.cos(np.arange(12) * np.pi / 6), np.sin(np.arange(12) * np.pi / 6)], axis=1)
    )
    return all(p.intersects(shapely.affinity.translate(q, *way)) for way in ways)


def _depth(a: Any, b: Any, pose_a: Any, pose_b: Any) -> str | None:
    if not (isinstance(a, fc.Polygon) and isinstance(b, fc.Polygon)):
        return None
    one, other = a.at(pose_a), b.at(pose_b)
    found = fc.penetration(one, other)
    p, q = as_shapely(a, one.vertices(0)), as_shapely(b, other.vertices(0))
    size = _size(one.vertices(0), other.vertices(0))
    own = max(p.length, q.length)
    hair = 4e-9 * own + 1e-12 * size
    if not found.is_overlapping:
        return None if found.depth == 0.0 else "a depth of what is apart"
    if not np.isfinite(found.depth):
        return "a depth is not finite"
    if np.isnan(found.direction).any():
        return "no way out is told"
    moved = shapely.affinity.translate(q, *((found.depth + 2 * hair) * found.direction))
    if p.intersection(moved).area > hair * own:
        return "b, moved out, is still in a"
    if len(a.vertices) + len(b.vertices) > 60 or found.depth < hair:
        return None
    middle = np.mean(one.vertices(0), axis=0)
    least = _least_way(shapely.affinity.translate(p, *-middle), shapely.affinity.translate(q, *-middle))
    if abs(found.depth - least) > 1e-6 * own + hair and found.depth > least:
        return f"the depth is {found.depth}, and by sums of triangles {least}"
    return None


def _least_way(p: Any, q: Any) -> float:
    """The distance from the origin to the border of the sum of a and -b."""
    parts = [shapely.constrained_delaunay_triangles(one).geoms for one in (p, q)]
    sums = []
    for u in parts[0]:
        for v in parts[1]:
            own, other = np.array(u.exterior.coords)[:3], np.array(v.exterior.coords)[:3]
            sums.append(shapely.convex_hull(shapely.multipoints((own[:, None] - other[None]).reshape(-1, 2))))
    whole = shapely.unary_union(sums)
    return float(whole.boundary.distance(shapely.Point(0, 0)))


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer points, no motion."""
    for name in "ab":
        rings = case[name]["rings"]
        for k in range(1, len(rings)):
            yield case | {name: case[name] | {"rings": rings[:k] + rings[k + 1 :]}}
        for k, ring in enumerate(rings):
            for i in range(len(ring) if len(ring) > 3 else 0):
                fewer = [*rings[:k], ring[:i] + ring[i + 1 :], *rings[k + 1 :]]
                yield case | {name: case[name] | {"rings": fewer}}
    for name in ("turn", "separation", "angle"):
        if case[name]:
            yield case | {name: 0.0}
