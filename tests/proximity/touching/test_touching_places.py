"""All that touches at an instant: boxes, where the answer is known, and every pair of features elsewhere."""

import numpy as np
import pytest
import trimesh

import firstcontact as fc
from firstcontact.bodies.mesh_body import body_of
from firstcontact.proximity.touching.touching_places import AGREE, touching
from firstcontact.rigid.first_times import first_times
from oracles.touching import SWAPPED, Scene, all_pairs
from poses import pose
from properties.rigid_claims import ask, options, size_of
from properties.rigid_families import FAMILIES, generate
from proximity.solids import box, corner_piece, hull, piece_at, placed, resting, soup
from samples import sample

TOLERANCE = 1e-6
KINDS = {kind: other for pair in SWAPPED.items() for kind, other in (pair, pair[::-1])}
DOWN = np.array([0.0, 0.0, -1.0])

# How far a lies above b: apart, in touch, and overlapping by less than matters.
LIFTS = [0.3 * TOLERANCE, 1e-13, 0.0, -1e-13, -0.3 * TOLERANCE]


def at_rest(a, b, *where, **how):
    """What touches where a is at a pose and b at the origin."""
    return touching(a, b, resting(a, *where), resting(b), 0.0, TOLERANCE, **how)


def assert_contacts(found, kinds, points, normals=DOWN):
    """Compare contacts with those that are known, in any order."""
    assert not found.is_truncated
    places = [np.round(x, 3).tolist() for x in (found.points, points)]
    key = [sorted(zip(*x, strict=True)) for x in ((found.kind.tolist(), places[0]), (kinds, places[1]))]
    assert key[0] == key[1]
    np.testing.assert_allclose(found.normals, np.broadcast_to(normals, found.normals.shape), atol=1e-6)


VF, EE, FV = fc.ContactKind.VERTEX_FACE, fc.ContactKind.EDGE_EDGE, fc.ContactKind.FACE_VERTEX


@pytest.mark.parametrize("lift", LIFTS)
@pytest.mark.parametrize("cuts", [0, 2])
def test_a_box_stands_on_its_corners(lift, cuts):
    cube, table = box(1, 1, 1, cuts=cuts), box(4, 4, 1, cuts=cuts)
    corners = [(x, y, 0.5) for x in (-0.4, 0.6) for y in (-0.3, 0.7)]
    assert_contacts(at_rest(cube, table, (0.1, 0.2, 1 + lift)), [VF] * 4, corners)
    corners = [(x, y, -0.5) for x in (-0.5, 0.5) for y in (-0.5, 0.5)]
    assert_contacts(at_rest(table, cube, (-0.1, -0.2, -1 - lift)), [FV] * 4, corners, -DOWN)


@pytest.mark.parametrize("lift", LIFTS)
def test_so_it_does_when_it_is_a_little_askew(lift):
    cube, table = box(1, 1, 1), box(4, 4, 1)
    found = at_rest(cube, table, (0.1, 0.2, 1 + lift), (0.2 * TOLERANCE, 0.1 * TOLERANCE, 0.4))
    assert found.kind.tolist() == [VF] * 4
    np.testing.assert_allclose(found.normals, np.tile(DOWN, (4, 1)), atol=1e-6)


@pytest.mark.parametrize("lift", LIFTS)
@pytest.mark.parametrize("cuts", [0, 1, 2])
def test_half_over_the_rim(lift, cuts):
    cube, table = box(1, 1, 1, cuts=cuts), box(4, 4, 1, cuts=cuts)
    points = [(x, y, 0.5) for x in (1.5, 2.0) for y in (-0.3, 0.7)]
    assert_contacts(at_rest(cube, table, (2, 0.2, 1 + lift)), [VF, VF, EE, EE], points)


@pytest.mark.parametrize("lift", LIFTS)
def test_crossed_beams(lift):
    beam = box(4, 0.5, 0.5)
    points = [(x, y, 0.25) for x in (-0.15, 0.35) for y in (-0.25, 0.25)]
    assert_contacts(at_rest(beam, beam, (0.1, 0.1, 0.5 + lift), (0, 0, np.pi / 2)), [EE] * 4, points)


@pytest.mark.parametrize("lift", LIFTS)
def test_faces_that_overlap_touch_in_the_corners_of_the_overlap(lift):
    cube = box(1, 1, 1)
    points = [(0.2, 0.3, 0.5), (0.5, 0.3, 0.5), (0.2, 0.5, 0.5), (0.5, 0.5, 0.5)]
    assert_contacts(at_rest(cube, cube, (0.7, 0.8, 1 + lift)), [VF, EE, EE, FV], points)
    # Turned by an eighth, each cuts the corners of the other.
    found = at_rest(cube, cube, (0, 0, 1 + lift), (0, 0, np.pi / 4))
    cut = 0.5 * np.tan(np.pi / 8)
    points = [(s * x, t * y, 0.5) for x, y in ((0.5, cut), (cut, 0.5)) for s in (-1, 1) for t in (-1, 1)]
    assert_contacts(found, [EE] * 8, points)


@pytest.mark.parametrize("lift", LIFTS)
@pytest.mark.parametrize("cuts", [0, 1])
def test_a_face_that_is_not_convex(lift, cuts):
    outline = [(-1, -1), (1, -1), (1, 0), (0, 0), (0, 1), (-1, 1)]
    found = at_rest(corner_piece(cuts), box(8, 8, 1), (0.3, 0.1, 1 + lift))
    assert_contacts(found, [VF] * 6, [(x + 0.3, y + 0.1, 0.5) for x, y in outline])


@pytest.mark.parametrize("lift", LIFTS)
def test_side_by_side(lift):
    cube = box(1, 1, 1)
    points = [(0.5, y, z) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
    assert_contacts(at_rest(cube, cube, (1 + lift, 0, 0)), [VF] * 4, points, [-1, 0, 0])


@pytest.mark.parametrize("gap", [0.0, 0.3 * TOLERANCE])
def test_an_edge_along_an_edge_touches_in_both_ends(gap):
    cube = box(1, 1, 1)
    found = at_rest(cube, cube, (1 + gap, 0.3, 1 + gap))
    assert found.kind.tolist() == [VF, FV]
    np.testing.assert_allclose(found.points, [[0.5, -0.2, 0.5], [0.5, 0.5, 0.5]], atol=TOLERANCE)
    if gap > 0.0:
        np.testing.assert_allclose(found.normals, np.tile([-(0.5**0.5), 0, -(0.5**0.5)], (2, 1)), atol=1e-6)


@pytest.mark.parametrize("gap", [0.0, 0.3 * TOLERANCE])
def test_corner_on_corner_is_one_contact(gap):
    cube = box(1, 1, 1)
    found = at_rest(cube, cube, (1 + gap, 1 + gap, 1 + gap))
    assert_contacts(found, [VF], [(0.5, 0.5, 0.5)], -np.ones(3) / 3**0.5)


def test_a_corner_near_the_rim_is_one_contact():
    cube, table = box(1, 1, 1), box(4, 4, 1)
    for inside in (0.0, 0.3 * TOLERANCE):
        found = at_rest(cube, table, (2.5 - inside, 0.2, 1 + 0.1 * TOLERANCE))
        assert_contacts(found, [VF] * 2, [(2, -0.3, 0.5), (2, 0.7, 0.5)])


def test_a_ball_in_a_groove_touches_both_sides():
    groove = fc.Mesh(
        [[x, y, abs(y)] for y in (-1, 0, 1) for x in (-1, 1)], [[0, 1, 2], [2, 1, 3], [2, 3, 4], [4, 3, 5]]
    )
    tip = fc.Mesh([[0, 0, 0], [0.1, 0, 1], [0, 0.1, 1], [-0.1, -0.1, 1]], [[0, 1, 2], [0, 2, 3], [0, 3, 1]])
    found = at_rest(tip, groove, (0.2, 0, 0.5 * TOLERANCE))
    assert found.kind.tolist() == [VF, VF]
    np.testing.assert_allclose(np.abs(found.normals), np.tile([0, 0.5**0.5, 0.5**0.5], (2, 1)), atol=1e-6)
    assert found.normals[0] @ found.normals[1] < 0.1


def test_bodies_that_overlap_are_listed_where_edges_pass_through_faces():
    cube = box(1, 1, 1)
    found = at_rest(cube, cube, (0.5, 0.4, 0.3))
    kinds = [fc.ContactKind.EDGE_FACE] * 3 + [fc.ContactKind.FACE_EDGE] * 3
    points = [
        (0, -0.1, 0.5),
        (0, 0.5, -0.2),
        (0.5, -0.1, -0.2),
        (0, 0.5, 0.5),
        (0.5, -0.1, 0.5),
        (0.5, 0.5, -0.2),
    ]
    assert found.kind.tolist() == kinds
    assert sorted(found.points.round(6).tolist()) == sorted(map(list, points))
    assert (found.distances == 0.0).all()
    np.testing.assert_allclose(np.abs(found.normals).max(axis=1), 1.0)
    assert (found.normals @ [-0.5, -0.4, -0.3] > 0.0).all()


def test_with_a_separation_the_tolerance_merges_and_the_distance_lists():
    cube, table = box(0.01, 0.01, 0.01), box(4, 4, 1)
    for tolerance, n in ((1e-6, 4), (0.02, 1)):
        found = touching(
            cube,
            table,
            resting(cube, (0.1, 0.2, 0.605)),
            resting(table),
            0.0,
            0.1 + 1e-6,
            tolerance=tolerance,
        )
        assert found.kind.tolist() == [VF] * n
        np.testing.assert_allclose(found.distances, 0.1)


def test_lists_are_bounded_and_begin_with_the_nearest():
    ball = fc.Mesh.from_trimesh(trimesh.creation.icosphere(3))
    everything = at_rest(ball, ball, (0.3, 0.2, 0.1))
    some = at_rest(ball, ball, (0.3, 0.2, 0.1), max_contacts=20)
    assert some.is_truncated
    assert not everything.is_truncated
    assert len(some.kind) == 20 < len(everything.kind)
    same = at_rest(ball, ball, max_contacts=50)
    assert same.is_truncated
    assert len(same.kind) == 50
    assert np.isfinite(same.normals).all()


def test_nothing_touches_nothing():
    cube, nothing = box(1, 1, 1), fc.Mesh([], [])
    for a, b, where in ((cube, cube, (5, 0, 0)), (nothing, cube, (0, 0, 0)), (cube, nothing, (0, 0, 0))):
        found = at_rest(a, b, where)
        assert [x.shape for x in found[:5]] == [(0,), (0, 2), (0, 3), (0, 3), (0,)]
        assert not found.is_truncated


def complaints(a, b, row_a, row_b, t, distance, tolerance):
    """What is said about contacts and is not so, best nothing; and the contacts."""
    found = touching(a, b, row_a, row_b, t, distance, tolerance=tolerance)
    size = body_of(a).reach + body_of(b).reach
    scene = Scene(a, b, placed(a, row_a, t), placed(b, row_b, t), distance, tolerance, 1e-10 * size)
    pairs, said = list(all_pairs(scene)), []
    for kind, ids, x, n, d in zip(*found[:5], strict=True):
        same = [
            p
            for p in pairs
            if p.kind == kind
            and tuple(ids) in p.ids
            and p.fault <= 1.01
            and np.linalg.norm(p.point - x) + abs(p.distance - d) < 1e-8 * size
        ]
        if not any(p.normal is None or p.normal @ n > 1 - 1e-6 for p in same):
            said.append(f"not a contact: {kind}, {ids}, {x}, {n}, {d}")
    for p in pairs:
        stands_for_it = np.linalg.norm(found.points - p.point, axis=1) <= 1.0001 * tolerance + 1e-9 * size
        if p.normal is not None:
            stands_for_it &= (found.normals @ p.normal >= AGREE - 1e-3) | (found.distances <= 2e-10 * size)
        if p.fault < 0.99 and not stands_for_it.any():
            said.append(f"missing: {p}")
    apart = np.linalg.norm(found.points[:, np.newaxis] - found.points, axis=2) + np.diag(
        np.full(len(found.kind), np.inf)
    )
    if ((apart < 0.999 * tolerance) & (found.normals @ found.normals.T > AGREE + 1e-3)).any():
        said.append("not merged")
    if len(found.kind) == 0 or not np.allclose(np.linalg.norm(found.normals, axis=1), 1.0):
        said.append(f"no contacts, or no normals: {found}")
    return said, found


MAKERS = {
    "box": lambda rng: box(*rng.choice([0.5, 1.0, 2.0], 3)),
    "corner": lambda rng: corner_piece(rng.integers(2)),
    "hull": lambda rng: hull(rng, 8),
    "soup": lambda rng: soup(rng, 4),
}


def fallen(rng, way, tolerance):
    """Poses between which something falls onto something at the origin: any, aligned, a little askew."""
    if way == "overlapping":
        start = pose(0.7 * rng.standard_normal(3), rng.standard_normal(3))
        return start, start @ pose((1, 0, 0))
    if way == "any":
        return (pose(r * rng.standard_normal(3), rng.standard_normal(3)) for r in (4.0, 0.3))
    place, turn = (
        rng.choice([-0.5, -0.25, 0.0, 0.25, 1.0], 3),
        (0, 0, rng.choice([0.0, np.pi / 4, np.pi / 2])),
    )
    if way == "askew":
        place, turn = place + 0.01 * rng.standard_normal(3), 0.2 * tolerance * rng.standard_normal(3)
    return (pose((*place[:2], height), turn) for height in (5.0, 0.0))


@pytest.mark.parametrize("way", ["any", "aligned", "askew", "overlapping"])
@pytest.mark.parametrize("kind", MAKERS)
def test_like_all_pairs_of_features(way, kind):
    rng = np.random.default_rng([55, len(way), len(kind)])
    n_found = 0
    for _ in range(5):
        a, b = MAKERS[kind](rng), MAKERS[rng.choice(list(MAKERS))](rng)
        tolerance, separation = 10.0 ** rng.integers(-7, -2), rng.choice([0.0, 0.0, 1e-2])
        rows_a, rows_b = a.moving(*fallen(rng, way, tolerance)).motion.rows(), b.at(pose()).motion.rows()
        found = first_times(body_of(a), body_of(b), (rows_a, rows_b), options(tolerance, separation))
        if found.triangles[0, 0] >= 0:
            n_found += 1
            distance = separation + tolerance
            said, _ = complaints(a, b, rows_a[0, 0], rows_b[0, 0], found.time[0], distance, tolerance)
            assert said == []
        if n_found == sample(1, of=5):
            break
    assert n_found > 0


@pytest.mark.parametrize("family", FAMILIES)
def test_soups_of_all_families(family):
    n_hits = 0
    for seed in range(2):
        if n_hits == sample(1, of=6):
            break
        case = generate(family, seed)
        asked = options(1e-6 * size_of(case))
        found = ask(case, asked)
        for k in np.flatnonzero(found.triangles[:, 0] >= 0)[: sample(1, of=3)]:
            n_hits += 1
            t = found.time[k]
            rows = piece_at(case.rows_a[k], t), piece_at(case.rows_b[k], t)
            if family.startswith("far"):  # the oracle loses too many digits there
                contacts = touching(case.mesh_a, case.mesh_b, *rows, t, asked.tolerance)
                np.testing.assert_allclose(np.linalg.norm(contacts.normals, axis=1), 1.0)
                assert len(contacts.kind) > 0
            else:
                said, _ = complaints(*case[:2], *rows, t, asked.tolerance, asked.tolerance)
                assert said == []
    assert n_hits > 0


def test_swapped_bodies_have_swapped_contacts():
    rng = np.random.default_rng(56)
    for way in ("any", "aligned", "askew") * 4:
        a, b = (MAKERS[rng.choice(["box", "corner", "hull"])](rng) for _ in range(2))
        rows_a, rows_b = a.moving(*fallen(rng, way, TOLERANCE)).motion.rows(), b.at(pose()).motion.rows()
        found = first_times(body_of(a), body_of(b), (rows_a, rows_b), options(TOLERANCE))
        if found.triangles[0, 0] < 0:
            continue
        t, rows = found.time[0], (rows_a[0, 0], rows_b[0, 0])
        there, back = touching(a, b, *rows, t, TOLERANCE), touching(b, a, *rows[::-1], t, TOLERANCE)
        by_place = [np.lexsort(x.points.round(4).T) for x in (there, back)]
        np.testing.assert_allclose(there.points[by_place[0]], back.points[by_place[1]], atol=TOLERANCE)
        np.testing.assert_allclose(there.normals[by_place[0]], -back.normals[by_place[1]], atol=1e-6)
        # A corner on a corner is a corner on a face either way round.
        kinds = [KINDS.get(kind, kind) for kind in there.kind[by_place[0]]]
        is_edges = [kind == EE for kind in kinds]
        assert is_edges == (back.kind[by_place[1]] == EE).tolist()


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_of_any_size_and_far_away(scale):
    for offset in (0.0, 1e6):
        cube, table = (fc.Mesh(scale * mesh.vertices, mesh.faces) for mesh in (box(1, 1, 1), box(4, 4, 1)))
        far = scale * offset * np.array([1.0, -0.5, 0.3])
        found = touching(
            cube,
            table,
            resting(cube, far + scale * np.array([2, 0.2, 1])),
            resting(table, far),
            0.0,
            scale * TOLERANCE,
        )
        points = [(x, y, 0.5) for x in (1.5, 2.0) for y in (-0.3, 0.7)]
        assert_contacts(found._replace(points=(found.points - far) / scale), [VF, VF, EE, EE], points)


@pytest.mark.parametrize(
    "faces", [[[0, 0, 0]], [[0, 0, 1]], [[0, 1, 2], [0, 1, 2]], [[0, 1, 3]], [[0, 1, 2], [1, 1, 2]]]
)
def test_degenerate_meshes_touch_too(faces):
    odd = fc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [2, 0, 0], [9, 9, 9]], faces)
    for other in (odd, box(1, 1, 1), fc.Mesh([[0.2, 0, 0]] * 3, [[0, 1, 2]])):
        for where in ((0, 0, 0), (0, 0, 0.5), (0.2, 0, 0), (1, 0, 0)):
            for a, b in ((odd, other), (other, odd)):
                found = at_rest(a, b, where)
                assert np.isfinite(found.points).all()
                np.testing.assert_allclose(np.linalg.norm(found.normals, axis=1), 1.0)
