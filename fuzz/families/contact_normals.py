"""Normals of the contacts of deforming meshes: soups, meshes on lattices, boxes and sheets that rest.

The referee is rational arithmetic: where the gap at the time of a contact is well above rounding, the normal
is the direction between the closest points, and the closing speed that of these points along it. Two meshes
swapped give normals turned around; faces wound the other way give the same; so does the reverse of a parting
motion. Boxes that rest on each other touch along the direction of the faces that lie on each other, and a
sheet on a floor along the floor's normal, always to the same side: of a block, outside.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

import firstcontact as fc

SECONDS_A_CASE = 20.0

# A gap of so much of the coordinates is none of their rounding; directions are compared from there on.
ROUNDING = 1e-13

# Two answers, at times that differ by rounding, may have directions that differ by so much: where a face is a
# sliver, the closest points of a gap next to rounding are off by some of it.
BLUR = 2e-3
CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
CUBE_FACES = [
    [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
    [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
]  # fmt: skip


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A scene of one of six sorts, with what its normals must be where that is known."""
    sorts = {
        "soup": _soup, "lattice": _lattice, "boxes": _boxes, "sheet": _sheet, "block": _block, "leaf": _leaf,
    }  # fmt: skip
    sort = str(rng.choice(list(sorts)))
    case = sorts[sort](rng)
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0] if rng.random() < 0.5 else np.eye(3)[rng.permutation(3)]
    shift = rng.normal(size=3) * rng.choice([0.0, 1.0, 30.0]) if sort != "lattice" else np.zeros(3)
    scale = float(10.0 ** rng.integers(-6, 7)) if sort != "lattice" else 1.0
    if sort == "lattice":
        turn = np.eye(3)[rng.permutation(3)]
    for name in ("a0", "a1", "b0", "b1"):
        case[name] = (scale * (case[name] @ turn.T + shift)).tolist()
    if case["normal"] is not None:
        case["normal"] = (turn @ case["normal"]).tolist()
    return case | {"sort": sort, "separation": scale * case["separation"], "seed": int(rng.integers(1 << 30))}


def check(case: dict[str, Any]) -> str | None:
    """Ask for all contacts, and compare their normals with what they must be."""
    found = _contacts(case)
    for row in _meeting(found):
        wrong = _wrong_row(case, found, row)
        if wrong:
            return f"{case['sort']}: row {row}, {_name(found, row)}, at {found.time[row]}: {wrong}"
    return _wrong_against(case, found)


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The same with a face less, or with a vertex that does not move."""
    if case["normal"] is not None:
        return
    for side in "ab":
        faces = case[f"faces_{side}"]
        for i in range(len(faces)):
            if len(faces) > 1:
                yield case | {f"faces_{side}": faces[:i] + faces[i + 1 :]}
        for i, place in enumerate(case[f"{side}0"]):
            if case[f"{side}1"][i] != place:
                yield case | {f"{side}1": [*case[f"{side}1"][:i], place, *case[f"{side}1"][i + 1 :]]}


def _scene(a: Any, b: Any, separation: float, normal: Any = None) -> dict[str, Any]:
    (a0, a1, faces_a), (b0, b1, faces_b) = a, b
    return {
        "a0": a0, "a1": a1, "faces_a": np.asarray(faces_a).tolist(),
        "b0": b0, "b1": b1, "faces_b": np.asarray(faces_b).tolist(),
        "separation": separation, "normal": normal,
    }  # fmt: skip


def _soup(rng: np.random.Generator) -> dict[str, Any]:
    def body() -> Any:
        n = int(rng.integers(3, 7))
        ends = rng.uniform(-1, 1, (2, n, 3))
        return *ends, [rng.permutation(n)[:3] for _ in range(rng.integers(1, 5))]

    return _scene(body(), body(), float(rng.choice([0.0, 1e-12, 1e-6, 1e-3, 0.1])))


def _lattice(rng: np.random.Generator) -> dict[str, Any]:
    def body() -> Any:
        n = int(rng.integers(3, 7))
        start = rng.integers(-2, 3, (n, 3)).astype(float)
        end = np.where(rng.random((n, 1)) < 0.4, start, rng.integers(-2, 3, (n, 3)))
        return start, end, [rng.permutation(n)[:3] for _ in range(rng.integers(1, 5))]

    return _scene(body(), body(), float(rng.choice([0.0, 0.5])))


def _boxes(rng: np.random.Generator) -> dict[str, Any]:
    """Boxes that lie on each other with a part of a side, and go apart, together, or aside."""
    sizes = rng.choice([0.5, 1.0, 2.0], (2, 3))
    offset = rng.choice([0.0, 0.25, -0.25], 3) * sizes.min(axis=0)
    offset[2] = sizes[1, 2]
    a, b = CUBE * sizes[0] + offset, CUBE * sizes[1]
    moves = rng.choice([0.0, 1e-3, 1.0]) * rng.normal(size=(2, 3))
    moves[:, 2] = rng.choice([0.0, 1e-6, 0.1]) * np.array([1.0, -1.0])
    faces = [[np.roll(face, rng.integers(3))[:: rng.choice([-1, 1])] for face in CUBE_FACES] for _ in "ab"]
    motion = [
        places + (move if rng.random() < 0.7 else 0.0) for places, move in zip((a, b), moves, strict=True)
    ]
    normal = np.array([0.0, 0.0, -1.0])
    return _scene((a, motion[0], faces[0]), (b, motion[1], faces[1]), 1e-11 * 2, normal)


def _sheet(rng: np.random.Generator) -> dict[str, Any]:
    """A sheet that lies flat on a larger one, or a little above it, whatever its vertices do next."""
    a, faces_a = _grid(rng, int(rng.integers(1, 5)))
    b, faces_b = _grid(rng, int(rng.integers(1, 3)))
    b = 3.0 * b - [1.0, 1.0, 0.0]
    height = float(rng.choice([0.0, 0.0, 1e-9, 1e-4]))
    a[:, 2] = height
    noise = rng.choice([0.0, 1e-3]) * rng.normal(size=a.shape)
    normal = np.array([0.0, 0.0, -1.0]) if height else None
    return _scene((a, a + noise, faces_a), (b, b, faces_b), max(2.0 * height, 1e-11), normal) | {"flat": True}


def _block(rng: np.random.Generator) -> dict[str, Any]:
    """A sheet that lies flat on a block, wound either way, and is pressed on it, lifted, or moved aside."""
    a, faces_a = _grid(rng, int(rng.integers(1, 5)))
    a = 0.5 * a - [-0.25, -0.25, -1.0]
    move = rng.choice([0.0, 1e-3, 0.2]) * rng.normal(size=3)
    faces_b = np.array(CUBE_FACES)[:, :: rng.choice([-1, 1])]
    return _scene((a, a + move, faces_a), (CUBE, CUBE, faces_b), 1e-11, np.array([0.0, 0.0, -1.0]))


def _grid(rng: np.random.Generator, n: int) -> Any:
    x, y = np.meshgrid(np.linspace(0, 1, n + 1), np.linspace(0, 1, n + 1), indexing="ij")
    corner = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    a, b, c, d = corner, corner + n + 1, corner + n + 2, corner + 1
    faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    turned = [face[:: rng.choice([-1, 1])] for face in faces]
    return np.stack([x.ravel(), y.ravel(), 0.0 * x.ravel()], axis=1), turned


def _leaf(rng: np.random.Generator) -> dict[str, Any]:
    """A leaf that stands on its tip on a floor, or comes down onto it, or leaves it, on either side."""
    side = rng.choice([-1.0, 1.0])
    a = np.concatenate([np.zeros((1, 3)), rng.uniform([-1, -1, 0.1], [1, 1, 2.1], (2, 3))])
    b = 5.0 * np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]])
    start = float(rng.choice([0.0, 0.0, 0.5, 1e-5]))
    move = rng.choice([0.0, 1.0]) * rng.normal(size=3) * [1, 1, 0]
    move[2] = -2.0 * start if start else rng.choice([0.0, 1e-3, 1.0])
    a[:, 2] += start
    a0 = a * [1, 1, side]
    faces = [[[0, 1, 2][:: rng.choice([-1, 1])]] for _ in "ab"]
    ends = (a0, a0 + move * [1, 1, side], faces[0]), (b, b, faces[1])
    return _scene(*ends, float(rng.choice([1e-11, 1e-6])), np.array([0.0, 0.0, -side])) | {"first": True}


def _contacts(case: dict[str, Any], swapped: bool = False, turned: bool = False) -> fc.Contacts:
    things = []
    rng = np.random.default_rng(case["seed"])
    for side in "ab":
        faces = np.array(case[f"faces_{side}"])
        if turned:
            faces = np.where(rng.random((len(faces), 1)) < 0.5, faces[:, ::-1], faces)
        mesh = fc.Mesh(case[f"{side}0"], faces)
        things.append(mesh.deforming(case[f"{side}0"], case[f"{side}1"]))
    return fc.contacts(*things[:: -1 if swapped else 1], min_separation=case["separation"])


def _wrong_row(case: dict[str, Any], found: fc.Contacts, row: int) -> str | None:
    normal, speed = found.normals[row], found.closing_speed[row]
    if not abs(np.linalg.norm(normal) - 1.0) < 1e-12:
        return f"the normal {normal} is not of length one"
    start, end, order = _ends(case, found, row)
    sides = (-1.0, -1.0, 1.0, 1.0) if len(order) == 2 else (-1.0, 1.0, 1.0, 1.0)
    moves = np.array(sides) * found.weights[row] @ (np.array(end) - np.array(start))
    expected = -float(moves @ normal) * (-1.0 if found.kind[row] == fc.ContactKind.FACE_VERTEX else 1.0)
    size = np.abs([start, end]).max()
    if abs(speed - expected) > 1e-12 * size:
        return f"the closing speed is {speed}, that of the points {expected}"
    gap = _gap(start, end, Fraction(float(found.time[row])), len(order) == 2)
    length = float(sum(x * x for x in gap)) ** 0.5
    if length > 100.0 * ROUNDING * size:
        way = np.array([float(x) for x in gap]) / length
        way = -way if found.kind[row] == fc.ContactKind.FACE_VERTEX else way
        if np.linalg.norm(way - normal) > ROUNDING * size / length + 1e-9:
            return f"the normal is {normal}, the closest points are along {way} at {length}"
    known = case["normal"]
    if known is not None and found.time[row] == 0.0 and np.linalg.norm(normal - known) > 1e-2:
        return f"the normal is {normal}, and the two rest along {known}"
    if known is not None and case.get("first") and row == 0 and np.linalg.norm(normal - known) > 1e-2:
        return f"the normal is {normal}, and the leaf comes along {known}"
    return None


def _wrong_against(case: dict[str, Any], found: fc.Contacts) -> str | None:
    """Compare with the same scene swapped, and with faces wound the other way; all of a flat sheet agree."""
    at_start = found.normals[[row for row in _meeting(found) if found.time[row] == 0.0]]
    if case.get("flat") and len(at_start) and np.ptp(at_start @ at_start[0]) > 1e-6:
        return f"the normals of a sheet on a floor do not agree: {at_start}"
    normals = {_pair(found, row): found.normals[row] for row in _meeting(found) if found.time[row] > 0.0}
    swapped, turned = _contacts(case, swapped=True), _contacts(case, turned=True)
    for what, other, sign in (("swapped", swapped, -1.0), ("wound the other way", turned, 1.0)):
        for row in _meeting(other):
            kind, i, j = _pair(other, row)
            pair = ({0: 2, 1: 1, 2: 0}[kind], j, i) if sign < 0 else (kind, i, j)
            mine = normals.get(pair)
            if mine is not None and np.linalg.norm(mine - sign * other.normals[row]) > BLUR:
                return f"{case['sort']}: {what}, {_name(other, row)} is {other.normals[row]}, and was {mine}"
    return None


def _meeting(found: fc.Contacts) -> list[int]:
    """Rows of features that meet: what passes through a face at the start comes from neither side of it."""
    through = (fc.ContactKind.EDGE_FACE, fc.ContactKind.FACE_EDGE)
    return np.flatnonzero(~np.isin(found.kind, through)).tolist()


def _pair(found: fc.Contacts, row: int) -> tuple[int, int, int]:
    return int(found.kind[row]), int(found.ids_a[row]), int(found.ids_b[row])


def _name(found: fc.Contacts, row: int) -> str:
    return f"{fc.ContactKind(int(found.kind[row])).name} {found.ids_a[row]} {found.ids_b[row]}"


def _ends(case: dict[str, Any], found: fc.Contacts, row: int) -> Any:
    """The four points at both ends; and the numbers of those on the first side."""
    ids, kind = found.vertex_ids[row].tolist(), found.kind[row]
    sides = {0: "abbb", 1: "aabb", 2: "baaa"}[int(kind)]
    ends = [[case[f"{s}{end}"][i] for s, i in zip(sides, ids, strict=True)] for end in (0, 1)]
    return *ends, [0, 1] if kind == fc.ContactKind.EDGE_EDGE else [0]


def _gap(start: Any, end: Any, time: Fraction, is_edge_edge: bool) -> list[Fraction]:
    """Vector from the closest point of the first feature to that of the second, exactly."""
    points = [
        [(1 - time) * Fraction(x) + time * Fraction(y) for x, y in zip(p, q, strict=True)]
        for p, q in zip(start, end, strict=True)
    ]
    if is_edge_edge:
        a, b = points[:2], points[2:]
        ways = [_to_segment(p, *b) for p in a] + [[-x for x in _to_segment(p, *a)] for p in b]
        ways += _between_lines(*a, *b)
    else:
        p, corners = points[0], points[1:]
        ways = [_to_segment(p, corners[i], corners[i - 1]) for i in range(3)] + _to_inside(p, *corners)
    return min(ways, key=lambda way: _dot(way, way))


def _to_segment(p: Any, a: Any, b: Any) -> list[Fraction]:
    edge, way = _minus(b, a), _minus(a, p)
    square = _dot(edge, edge)
    s = min(max(-_dot(way, edge) / square, Fraction(0)), Fraction(1)) if square else Fraction(0)
    return [x + s * e for x, e in zip(way, edge, strict=True)]


def _to_inside(p: Any, a: Any, b: Any, c: Any) -> list[list[Fraction]]:
    u, v, w = _minus(b, a), _minus(c, a), _minus(p, a)
    uu, uv, vv, uw, vw = _dot(u, u), _dot(u, v), _dot(v, v), _dot(u, w), _dot(v, w)
    area = uu * vv - uv * uv
    if area == 0:
        return []
    s, r = (vv * uw - uv * vw) / area, (uu * vw - uv * uw) / area
    if s < 0 or r < 0 or s + r > 1:
        return []
    return [[s * x + r * y - z for x, y, z in zip(u, v, w, strict=True)]]


def _between_lines(a0: Any, a1: Any, b0: Any, b1: Any) -> list[list[Fraction]]:
    u, v, w = _minus(a1, a0), _minus(b1, b0), _minus(b0, a0)
    uu, uv, vv, uw, vw = _dot(u, u), _dot(u, v), _dot(v, v), _dot(u, w), _dot(v, w)
    area = uu * vv - uv * uv
    if area == 0:
        return []
    s, r = (uw * vv - vw * uv) / area, (uw * uv - vw * uu) / area
    if not (0 <= s <= 1 and 0 <= r <= 1):
        return []
    return [[z + r * y - s * x for x, y, z in zip(u, v, w, strict=True)]]


def _minus(p: Any, q: Any) -> list[Fraction]:
    return [x - y for x, y in zip(p, q, strict=True)]


def _dot(p: Any, q: Any) -> Fraction:
    return Fraction(sum(x * y for x, y in zip(p, q, strict=True)))
