"""Nodes called flat against an exact search for self-contact; the proofs' steps in exact arithmetic."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import firstcontact as fc
from deformable.patches import (
    annulus,
    faces_below,
    fan,
    grid,
    median_tree,
    moebius,
    random_tree,
    spiral_strip,
    tree_of,
)
from firstcontact.deformable import normal_cones
from firstcontact.deformable.normal_cones import DIRECTIONS, N_DIRECTIONS, flat_nodes
from firstcontact.deformable.regions import MAX_REGION_FACES, region_contours
from firstcontact.scalar.error_bounds import UNDERFLOW
from samples import sample

SEEDS = st.integers(0, 2**32 - 1)


def flat(children, faces, start, end):
    return flat_nodes(children, faces, region_contours(children, faces), start, end)


def is_root_flat(faces, start, end):
    return bool(flat(median_tree(start, faces), faces, start, end)[0])


def has_self_contact(faces, start, end):
    """Whether two features of some faces that share no vertex touch: every pair, in exact arithmetic."""
    faces = faces.tolist()
    edges = sorted({tuple(sorted((face[k - 1], face[k]))) for face in faces for k in range(3)})
    vertices = sorted({vertex for face in faces for vertex in face})
    vf = [[v, *face] for v, face in product(vertices, faces) if v not in face]
    ee = [[*a, *b] for a, b in combinations(edges, 2) if not {*a} & {*b}]
    return any(
        len(ids) > 0 and query(start[np.array(ids)], end[np.array(ids)], exact=True).hit.any()
        for query, ids in ((fc.vertex_face_ccd, vf), (fc.edge_edge_ccd, ee))
    )


def assert_sound(children, faces, start, end):
    """Check every node called flat that has no such parent; return whether there was one."""
    found = flat(children, faces, start, end)
    below_flat = {int(child) for node in np.flatnonzero(found) for child in children[node]}
    inner = [node for node in np.flatnonzero(found) if children[node, 0] >= 0 and node not in below_flat]
    for node in inner:
        assert not has_self_contact(faces[faces_below(children, node)], start, end)
    return len(inner) > 0


def turned(rng):
    """A random rotation, sometimes none."""
    return np.linalg.qr(rng.normal(size=(3, 3)))[0] if rng.random() < 0.8 else np.eye(3)


def soup(rng):
    """Faces over few vertices: not manifold, not oriented, repeated."""
    faces = rng.integers(0, 7, (8, 3)).astype(np.int32)
    return rng.uniform(-1, 1, (7, 3)) * [1, 1, 0.1], faces


PATCHES = {
    "grid": lambda rng: grid(*rng.integers(1, 4, 2)),
    "spiral": lambda rng: spiral_strip(
        7, rng.uniform(1.0, 9.0), rng.choice([0.0, 0.02]), rng.choice([0.1, 1.0])
    ),
    "open fan": lambda rng: fan(6, rng.uniform(5.5, 8.0), False, rng.choice([0.0, 0.03])),
    "closed fan": lambda rng: fan(8, 2 * np.pi * rng.integers(1, 4), True),
    "moebius": lambda rng: moebius(5),
    "hole": lambda rng: annulus(5),
    "soup": soup,
}


def moving(patch, rng):
    """Both ends of a random motion of a patch: small or large, near or far, some with a face reversed."""
    vertices, faces = patch
    amplitude = rng.choice([0.0, 1e-3, 0.1, 0.5])
    scale, shift = 10.0 ** rng.integers(-6, 7), rng.choice([0.0, 1e3])
    ends = [
        scale * ((vertices + amplitude * rng.uniform(-1, 1, vertices.shape)) @ turned_by + shift)
        for turned_by in [turned(rng)] * 2
    ]
    if rng.random() < 0.2:
        faces = faces.copy()
        faces[0] = faces[0, ::-1]
    return faces, *ends


@pytest.mark.parametrize("name", PATCHES)
@settings(max_examples=sample(20, of=100))
@given(seed=SEEDS)
def test_no_flat_node_touches_itself(name, seed):
    rng = np.random.default_rng(seed)
    faces, start, end = moving(PATCHES[name](rng), rng)
    assert_sound(median_tree(start, faces), faces, start, end)
    assert_sound(random_tree(faces, rng), faces, start, end)


@pytest.mark.parametrize("name", ["grid", "spiral", "open fan", "closed fan", "hole"])
def test_the_patches_have_flat_nodes(name):
    rng = np.random.default_rng(5)
    patches = [moving(PATCHES[name](rng), rng) for _ in range(20)]
    assert any(assert_sound(median_tree(start, faces), faces, start, end) for faces, start, end in patches)


# Facing up everywhere, so that only the contour tells.
OVERLAPPING = {
    "spiral of more than a turn": spiral_strip(16, 7.0, 0.0),
    "fan of more than a turn": fan(8, 6.5, False),
    "two turns around a vertex": fan(10, 4 * np.pi, True),
    "three turns around a vertex": fan(15, 6 * np.pi, True),
    "spiral that closes exactly": spiral_strip(4, 2 * np.pi, 0.0),
}


@pytest.mark.parametrize("name", OVERLAPPING)
def test_an_overlap_without_a_fold_is_seen(name):
    vertices, faces = OVERLAPPING[name]
    assert not is_root_flat(faces, vertices, vertices)
    children = median_tree(vertices, faces)
    assert_sound(children, faces, vertices, vertices)


def test_only_the_contour_keeps_the_overlaps_from_being_flat():
    # Patches that no longer test what they should would pass with any contour.
    for vertices, faces in OVERLAPPING.values():
        children = median_tree(vertices, faces)
        contours = region_contours(children, faces)
        assert contours.offsets[-1] > contours.offsets[-2]
        corners = [tuple(map(tuple, vertices[face].tolist())) for face in faces]
        assert all(normal_cones._allowed_directions(face, face) >> 2 & 1 for face in corners)


def hooks(gap_t0, gap_t1):
    """A flat U of seven squares, its arms along x, with given gaps between their tips at both ends."""
    vertices, faces = grid(3, 3)
    keep = [f for f in range(len(faces)) if f // 2 not in (4, 7)]  # not the middle, nor the way out to +x
    start, end = vertices.copy(), vertices.copy()
    for points, gap in ((start, gap_t0), (end, gap_t1)):
        points[[10, 11, 14, 15], 1] += gap - 1.0
    return faces[keep], start, end


@pytest.mark.parametrize("gap", [0.0, -1e-15, -0.25])
def test_arms_that_meet_at_the_end_are_not_flat(gap):
    faces, start, end = hooks(1.0, gap)
    assert has_self_contact(faces, start, end)
    assert not is_root_flat(faces, start, end)
    assert not is_root_flat(faces, end, start)


@pytest.mark.parametrize("gap", [1.0, 1e-3, 1e-9, 1e-12])
def test_arms_that_come_close_are_flat(gap):
    faces, start, end = hooks(1.0, gap)
    assert not has_self_contact(faces, start, end)
    assert is_root_flat(faces, start, end)


def test_arms_that_meet_on_the_way_only_are_not_flat():
    # Teeth at the tips, which overlap in y, change places in x: one arm grows while the other shrinks.
    faces, start, end = hooks(1.0, 1.0)
    for points, upper, lower in ((start, 2.0, 4.0), (end, 4.0, 2.0)):
        points[8:12, 0] = 1.5
        points[[14, 15], 0], points[[12, 13], 0] = upper, lower
        points[14, 1], points[13, 1] = 1.4, 1.6
    assert is_root_flat(faces, start, start)
    assert is_root_flat(faces, end, end)
    assert has_self_contact(faces, start, end)
    assert not is_root_flat(faces, start, end)


@settings(max_examples=40)
@given(st.integers(-40, 40), st.sampled_from([0.0, 1.0, 1e6]), SEEDS)
def test_gaps_of_a_few_ulps(ulps, shift, seed):
    rng = np.random.default_rng(seed)
    faces, start, end = hooks(1.0, ulps * 2.0**-52)
    turn = turned(rng)
    assert_sound(median_tree(start, faces), faces, start @ turn + shift, end @ turn + shift)


def wave(vertices, phase):
    moved = vertices.copy()
    moved[:, 2] = 2.0 * np.sin(0.2 * vertices[:, 0] + phase) * np.cos(0.15 * vertices[:, 1] - phase)
    return moved


def test_a_gently_waving_grid_is_flat_up_to_the_limit():
    vertices, faces = grid(40, 40)
    start, end = wave(vertices, 0.0), wave(vertices, 0.1)
    children = median_tree(vertices, faces)
    contours = region_contours(children, faces)
    has_contour = contours.nodes[np.diff(contours.offsets) > 0]
    found = flat_nodes(children, faces, contours, start, end)
    assert found[has_contour].all()
    assert max(len(faces_below(children, node)) for node in np.flatnonzero(found)) > MAX_REGION_FACES / 2


def test_what_lies_below_a_flat_node_is_flat():
    vertices, faces = grid(6, 6)
    children = random_tree(faces, np.random.default_rng(1))
    found = flat(children, faces, vertices, wave(vertices, 0.0))
    assert found[0]
    assert found.all()


def test_the_same_bytes_on_one_thread_and_on_all(monkeypatch):
    vertices, faces = grid(50, 50)
    end = vertices + np.random.default_rng(3).uniform(-0.6, 0.6, vertices.shape)
    children = median_tree(vertices, faces)
    serial = flat(children, faces, vertices, end)
    monkeypatch.setattr(normal_cones, "WORTH_A_THREAD", 1)
    assert flat(children, faces, vertices, end).tobytes() == serial.tobytes()
    assert 0 < serial.mean() < 1


@pytest.mark.parametrize("n", [0, 1])
def test_no_faces_and_one_face(n):
    vertices, faces = grid(1, 1)
    assert not flat(tree_of(faces[:n], None), faces[:n], vertices, vertices).any()


@pytest.mark.parametrize("size", [0.0, 5e-324, 1e-200, 2.0**-490])
def test_coincident_and_denormal_points_prove_nothing(size):
    vertices, faces = grid(3, 3)
    assert not flat(median_tree(vertices, faces), faces, size * vertices, size * vertices).any()


@pytest.mark.parametrize("size", [1e-80, 1.0, 2.0**147])
def test_sizes_do_not_matter(size):
    vertices, faces = grid(3, 3)
    assert is_root_flat(faces, size * vertices, size * wave(vertices, 0.3))


def test_a_face_without_area_spoils_its_regions():
    vertices, faces = grid(2, 2)
    vertices[4] = vertices[0]
    assert not is_root_flat(faces, vertices, vertices)


def exact(points):
    return [[Fraction(x) for x in point] for point in np.asarray(points).tolist()]


def minus(a, b):
    return [x - y for x, y in zip(a, b, strict=True)]


def area(a, b):
    return a[0] * b[1] - a[1] * b[0]


def bernstein(product_of, a0, b0, a1, b1):
    """Coefficients of a bilinear product of two moving vectors, up to positive factors."""
    return product_of(a0, b0), product_of(a0, b1) + product_of(a1, b0), product_of(a1, b1)


def wild_points(rng, n):
    """Both ends of points that are nearly in a plane, on a lattice up to a few ulps, or far away."""
    start, end = rng.integers(-3, 4, (2, n, 3)).astype(float)
    if rng.random() < 0.3:
        end = start.copy()
    shift, scale = rng.choice([0.0, 1.0, 1e5]), 10.0 ** rng.integers(-9, 10)
    ulps = rng.integers(-4, 5, (2, n, 3)) * 2.0**-52 * max(shift, 1.0)
    return scale * (start + shift + ulps[0]), scale * (end + shift + ulps[1])


def test_allowed_directions_are_allowed_exactly():
    rng = np.random.default_rng(11)
    counts = np.zeros(2, int)
    for _ in range(400):
        start, end = wild_points(rng, 3)
        bits = normal_cones._allowed_directions(*(tuple(map(tuple, x.tolist())) for x in (start, end)))
        (a0, b0, c0), (a1, b1, c1) = exact(start), exact(end)
        edges = minus(b0, a0), minus(c0, a0), minus(b1, a1), minus(c1, a1)
        for k, direction in enumerate(DIRECTIONS):

            def triple(a, b, d=direction):
                return sum(int(d[i]) * (a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2]) for i in range(3))

            signs = bernstein(triple, *edges)
            allowed = bits >> k & 1, bits >> (k + N_DIRECTIONS) & 1
            assert not allowed[0] or min(signs) > 0
            assert not allowed[1] or max(signs) < 0
            counts += any(allowed), min(signs) > 0 or max(signs) < 0
    assert counts[0] > 0.8 * counts[1]  # what is left out is near zero: points were moved by ulps


def seen(direction, p):
    x, y, z = map(int, direction)
    if z:
        return p[0] - x * z * p[2], p[1] - y * z * p[2]
    return (p[0] - x * y * p[1], p[2]) if y else (p[1], p[2])


def is_apart_exactly(*ends):
    """Whether an axis keeps the edges of points 0, 1 and 2, 3 apart, at both ends in the same order."""
    return any(
        all(min(p[a][axis], p[a + 1][axis]) > max(p[b][axis], p[b + 1][axis]) for p in ends)
        for axis, (a, b) in product(range(2), ((0, 2), (2, 0)))
    )


def is_beside_exactly(p0, p1):
    """Whether points 2, 3 stay on one side of the line through 0, 1, by Bernstein coefficients."""
    edges = minus(p0[1], p0[0]), minus(p1[1], p1[0])
    signs = [
        sign
        for k in (2, 3)
        for sign in bernstein(area, edges[0], minus(p0[k], p0[0]), edges[1], minus(p1[k], p1[0]))
    ]
    return min(signs) > 0 or max(signs) < 0


def test_pairs_of_edges_called_apart_are_apart_exactly():
    rng = np.random.default_rng(12)
    found, truth = np.zeros(2, int), np.zeros(2, int)
    picture = np.empty((12, 192))
    for _ in range(2000):
        start, end = wild_points(rng, 4)
        direction = DIRECTIONS[rng.integers(N_DIRECTIONS)]
        size = normal_cones._draw(np.arange(4, dtype=np.int32), start, end, direction, picture)
        tolerance = normal_cones.CONTOUR_SIDE * size * size + UNDERFLOW
        claims = np.array(
            [
                normal_cones._is_apart(picture, 0, 2, normal_cones.CONTOUR_GAP * size),
                normal_cones._is_beside(picture, 4, 0, 2, tolerance),
            ]
        )
        ends = [[seen(direction, p) for p in exact(points)] for points in (start, end)]
        facts = np.array([is_apart_exactly(*ends), is_beside_exactly(*ends)])
        assert (facts | ~claims).all()
        found += claims
        truth += facts
    assert (found > 0.8 * truth).all()


@pytest.mark.shared_data
def test_no_contact_of_the_cloth_lies_in_a_flat_node(shared_data):
    frame = np.load(shared_data("frames/cloth-ball.npz"))
    faces, start, end = frame["faces"].astype(np.int32), frame["vertices_t0"], frame["vertices_t1"]
    children = median_tree(start, faces)
    found = flat(children, faces, start, end)
    highest = np.where(found, np.arange(len(children)), -1)
    for node in np.flatnonzero(found & (children[:, 0] >= 0)):
        highest[children[node]] = highest[node]
    region = np.empty(len(faces), int)
    leaves = np.flatnonzero(children[:, 0] < 0)
    region[~children[leaves, 0]] = highest[leaves]
    regions_of = {}  # of vertices, edges and faces, by their vertices
    for face, where in zip(faces.tolist(), region.tolist(), strict=True):
        for size in (1, 2, 3):
            for feature in combinations(sorted(face), size):
                regions_of.setdefault(feature, set()).add(where)
    for kind, cut in (("vf", 1), ("ee", 2)):
        truth = np.load(shared_data(f"ccd-truth/cloth-ball-{kind}.npz"))
        for ids in truth["vertex_ids"][truth["hit"]].tolist():
            a, b = tuple(sorted(ids[:cut])), tuple(sorted(ids[cut:]))
            assert regions_of[a] & regions_of[b] <= {-1}
    assert (region >= 0).mean() > 0.4
