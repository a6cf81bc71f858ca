"""Contacts of points and strands that deform: all pairs of elements, by the elementary queries."""

from itertools import combinations, product

import numpy as np
import pytest

import firstcontact as fc
from properties.cloud_families import made

GRID = 3


def places(rng, shape, is_grid):
    """Where the vertices of a shape are at both ends; on a grid, ties are many."""
    size = (2, shape.n_vertices, 3)
    return rng.integers(-GRID, GRID + 1, size).astype(float) if is_grid else rng.normal(size=size)


def ends_of(shape, element):
    return shape.faces[element, :2]


def radius_at(shape, vertex):
    return shape.radii[(shape.faces[:, :2] == vertex).any(axis=1)].max()


def is_hit(query, start, end, separation):
    """Ask about one pair; a little more than a sum of radii, as for the search."""
    wide = separation * (1 + 2.0**-50)
    return query(np.array([start]), np.array([end]), min_separation=wide, exact=True)


def expected_with_itself(strands, start, end, separation):
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(strands.positions, axis=0), axis=1))])
    found = {}
    for i, j in combinations(range(strands.n_faces), 2):
        (p, q), (r, s) = ends_of(strands, i), ends_of(strands, j)
        reach = strands.radii[i] + strands.radii[j]
        is_same = strands.strand_ids[i] == strands.strand_ids[j]
        if {p, q} & {r, s} or (is_same and along[r] - along[q] <= reach):
            continue
        ids = [p, q, r, s]
        one = is_hit(fc.edge_edge_ccd, start[ids], end[ids], reach + separation)
        if one.hit[0]:
            found[fc.ContactKind.SEGMENT_SEGMENT, i, j] = one
    return found


def expected_of_two(a, b, ends_a, ends_b, separation):
    found = {}
    is_mesh = not b.is_cloud
    for i in range(a.n_faces):
        for j in range(len(b.edges) if is_mesh else b.n_faces):
            if is_mesh and isinstance(a, fc.Points):
                break  # faces have all that their edges have
            p, q = ends_of(a, i), b.edges[j] if is_mesh else ends_of(b, j)
            reach = a.radii[i] + (0.0 if is_mesh else b.radii[j])
            points = [np.concatenate([one[p], other[q]]) for one, other in zip(ends_a, ends_b, strict=True)]
            one = is_hit(fc.edge_edge_ccd, *points, reach + separation)
            if one.hit[0]:
                words = a.element, "EDGE" if is_mesh else b.element
                found[fc.ContactKind["_".join(words)], i, j] = one
    if is_mesh:
        for v, f in product(range(a.n_vertices), range(b.n_faces)):
            points = [np.concatenate([x[[v]], y[b.faces[f]]]) for x, y in zip(ends_a, ends_b, strict=True)]
            one = is_hit(fc.vertex_face_ccd, *points, radius_at(a, v) + separation)
            if one.hit[0]:
                found[fc.ContactKind.POINT_FACE, v, f] = one
    return found


def assert_same(found, expected):
    overlaps = found.kind == fc.ContactKind.SEGMENT_FACE  # at the start, and told elsewhere
    keys = [
        (fc.ContactKind(int(kind)), int(i), int(j))
        for kind, i, j in zip(
            found.kind[~overlaps], found.ids_a[~overlaps], found.ids_b[~overlaps], strict=True
        )
    ]
    assert len(set(keys)) == len(keys)
    assert set(keys) == set(expected)
    for key, time, upper in zip(keys, found.time[~overlaps], found.time_upper[~overlaps], strict=True):
        one = expected[key]
        assert time <= one.time_upper[0]
        assert one.time[0] <= upper
    assert np.allclose(np.linalg.norm(found.normals, axis=1), 1.0)


def assert_first(first, found):
    """Is this the first of all contacts, in a bracket no wider than theirs?"""
    assert bool(first) == (len(found) > 0)
    if first:
        assert found.time[0] <= first.time <= first.time_upper <= found.time_upper.min()
        assert first.time_upper - first.time <= 1e-15
        listed = set(zip(found.kind.tolist(), found.ids_a.tolist(), found.ids_b.tolist(), strict=True))
        assert {tuple(row) for row in first.features.tolist()} <= listed


@pytest.mark.parametrize("is_grid", [False, True])
@pytest.mark.parametrize("radius", [0.0, 0.15])
def test_contacts_of_strands_with_themselves(is_grid, radius):
    n = 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        strands = fc.Strands(rng.normal(size=(13, 3)), [6, 1, 4, 2], radius * rng.integers(0, 3, 13))
        start, end = places(rng, strands, is_grid)
        separation = 0.1 * (seed % 2)
        moving = strands.deforming(start, end)
        found = fc.contacts(moving, min_separation=separation)
        assert_same(found, expected_with_itself(strands, start, end, separation))
        first = fc.first_contact(moving, min_separation=separation)
        assert_first(first, found)
        assert fc.safe_step(moving, min_separation=separation) == min(first.time, 1.0)
        n += len(found)
    assert n > 10


@pytest.mark.parametrize("is_grid", [False, True])
@pytest.mark.parametrize(
    ("first", "second"), [("strands", "mesh"), ("points", "mesh"), ("strands", "points")]
)
def test_contacts_of_two(first, second, is_grid):
    n = 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        a, b = made(rng, first), made(rng, second)
        (a0, a1), (b0, b1) = places(rng, a, is_grid), places(rng, b, is_grid)
        separation = 0.1 * (seed % 2)
        found = fc.contacts(a.deforming(a0, a1), b.deforming(b0, b1), min_separation=separation)
        expected = expected_of_two(a, b, (a0, a1), (b0, b1), separation)
        assert_same(found, expected)
        earliest = fc.first_contact(a.deforming(a0, a1), b.deforming(b0, b1), min_separation=separation)
        assert_first(earliest, found)
        n += len(found)
        back = fc.contacts(b.deforming(b0, b1), a.deforming(a0, a1), min_separation=separation)
        assert len(back) == len(found)
        for ids, own in ((back.ids_a, found.ids_b), (back.ids_b, found.ids_a)):
            assert sorted(ids.tolist()) == sorted(own.tolist())
        assert np.abs(back.time - found.time).max(initial=0.0) < 1e-9
    assert n > 3


def test_frames_and_things_at_rest():
    floor = fc.Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
    rope = fc.Strands([[-1, 0, 0], [1, 0, 0]], [2], 0.25)
    up = np.add(rope.positions, [0, 0, 2.25])
    falling = rope.along([up, up - [0, 0, 1], up - [0, 0, 3]], times=[0, 0.5, 1])
    found = fc.contacts(falling, floor)
    assert found.time == pytest.approx(np.full(2, 0.75), abs=1e-9)
    assert found.kind.tolist() == [fc.ContactKind.POINT_FACE] * 2
    assert np.abs(found.points[:, 2]).max() < 1e-9
    ball = fc.Points([[0, 0, 0]], 0.5)
    meets = fc.first_contact(falling, ball.at((np.eye(3), [0, 0, -0.5])))
    assert meets.features.tolist() == [[fc.ContactKind.SEGMENT_POINT, 0, 0]]
    assert meets.time == pytest.approx(0.75, abs=1e-9)
    still = fc.contacts(rope, floor)  # at rest, within its radius of the floor
    assert (still.time == 0.0).all()
    assert len(still) == 2


def test_strands_through_a_face_at_the_start():
    floor = fc.Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
    pin = fc.Strands([[0, 0, -1], [0, 0, 1]], [2])
    found = fc.contacts(pin.deforming(pin.positions, pin.positions), floor)
    assert found.kind.tolist() == [fc.ContactKind.SEGMENT_FACE]
    assert fc.safe_step(pin.deforming(pin.positions, pin.positions), floor) == 0.0
    assert len(fc.contacts(floor, pin)) == 1


def test_first_contacts_of_clouds_need_no_list_of_all():
    ball = np.random.default_rng(0).normal(size=(3000, 3))
    cloud = fc.Points(ball, 0.5)
    bent = cloud.deforming(ball, 0.1 * ball)
    with pytest.raises(ValueError, match="max_contacts"):
        fc.contacts(bent, max_contacts=1000)
    first = fc.first_contact(bent)
    assert first.status == fc.Status.CONTACT_AT_START
    assert fc.safe_step(bent) == 0.0
    rng = np.random.default_rng(1)
    roots = 50 * rng.uniform(size=(3000, 1, 3))
    ropes = (roots + np.cumsum(rng.normal(size=(3000, 4, 3)), axis=1)).reshape(-1, 3)
    hair = fc.Strands(ropes, [4] * 3000, 1e-3)
    waving = hair.deforming(ropes, ropes + 3 * rng.normal(size=ropes.shape))
    n_tests = [ask(waving).stats.elementary_tests for ask in (fc.first_contact, fc.contacts)]
    assert n_tests[0] < 0.5 * n_tests[1]


def test_what_strands_that_deform_know_nothing_of():
    rope = fc.Strands([[-1, 0, 0], [1, 0, 0]], [2], 0.25)
    bent = rope.deforming(rope.positions, rope.positions + 1)
    with pytest.raises(TypeError, match=r"^contacts lists features of meshes, and b is a Sphere"):
        fc.contacts(bent, fc.Sphere(1))
    with pytest.raises(TypeError, match=r"^first_contacts is for rigid bodies, and a deforms"):
        fc.first_contacts(bent, fc.Sphere(1))
    with pytest.raises(ValueError, match=r"^distance is for one instant, and a moves"):
        fc.distance(bent, fc.Sphere(1))
