"""One contact for each motion of a batch."""

import numba
import numpy as np
import pytest

import firstcontact as fc
from firstcontact.bodies.mesh_body import body_of
from firstcontact.proximity.touching import closest_contacts as module
from firstcontact.proximity.touching.closest_contacts import closest_contacts
from oracles.touching import SWAPPED
from poses import pose
from properties.rigid_claims import ask, options, size_of
from properties.rigid_families import FAMILIES, generate
from proximity.solids import box, hull, piece_at, placed

RNG = np.random.default_rng(54)
KINDS = {kind: other for pair in SWAPPED.items() for kind, other in (pair, pair[::-1])}


def features_of(mesh, kind_name, i):
    """Vertices of a feature, by the part of the kind's name that is about it."""
    if kind_name == "VERTEX":
        return [i]
    return mesh.edges[i] if kind_name == "EDGE" else mesh.faces[i]


def of_found(case, found):
    return closest_contacts(case.mesh_a, case.mesh_b, case.rows_a, case.rows_b, found.time, found.triangles)


def assert_rows_are(one, other, rows=slice(None)):
    for x, y in zip(one, other, strict=True):
        np.testing.assert_array_equal(x[rows], y)


@pytest.mark.parametrize("family", FAMILIES)
def test_points_are_on_the_features_and_as_near_as_said(family):
    for seed in range(4):
        case = generate(family, seed)
        found = ask(case, options(1e-6 * size_of(case)))
        contacts = of_found(case, found)
        is_hit = found.triangles[:, 0] >= 0
        assert (contacts.kind[~is_hit] == -1).all()
        assert (contacts.ids[~is_hit] == -1).all()
        assert np.isnan(contacts.points[~is_hit]).all()
        assert np.isnan(contacts.normals[~is_hit]).all()
        np.testing.assert_allclose(np.linalg.norm(contacts.normals[is_hit], axis=1), 1.0)
        for k in np.flatnonzero(is_hit):
            check(case, found.time[k], k, contacts)


def check(case, t, k, contacts):
    names = fc.ContactKind(int(contacts.kind[k])).name.split("_")
    reach = body_of(case.mesh_a).reach + body_of(case.mesh_b).reach
    slop = 1e-8 * (reach + np.abs(case.rows_a).max())
    point, normal, distance = contacts.points[k], contacts.normals[k], contacts.distances[k]
    assert distance <= 1e-6 * size_of(case) + slop
    sides = ((case.mesh_a, case.rows_a), (case.mesh_b, case.rows_b))
    for side, (mesh, rows) in enumerate(sides):
        corners = placed(mesh, piece_at(rows[k], t), t)[features_of(mesh, names[side], contacts.ids[k, side])]
        # Half the distance away, against or along the normal.
        own = point + (side - 0.5) * distance * normal
        weights = np.linalg.lstsq(
            np.vstack([corners.T - own[:, np.newaxis], np.full(len(corners), reach)]),
            [0, 0, 0, reach],
            rcond=None,
        )[0]
        assert np.linalg.norm(weights @ corners - own) <= slop + 0.5 * distance
        assert (weights >= -1e-6).all()


def test_the_pair_tells_the_kind():
    floor = fc.Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
    tip = fc.Mesh([[0, 0, 1], [1, 0, 2], [0, 1, 2]], [[0, 1, 2]])
    knife = fc.Mesh([[0, -1, 0.5], [0, 1, 1.5], [0, 0, 2]], [[0, 1, 2]])
    cases = [
        (tip, floor, (0, 0, -1 + 1e-7), fc.ContactKind.VERTEX_FACE, (0, 0), (0, 0, -1)),
        (floor, tip, (0, 0, 1 - 1e-7), fc.ContactKind.FACE_VERTEX, (0, 0), (0, 0, 1)),
        (knife, floor, (0, -9, -1 + 1e-7), fc.ContactKind.EDGE_EDGE, (0, 0), (0, 1, -2)),
        (tip, floor, (0, 0, -1.5), fc.ContactKind.EDGE_FACE, (0, 0), (0, 0, -1)),
        (floor, tip, (0, 0, 1.5), fc.ContactKind.FACE_EDGE, (0, 0), (0, 0, 1)),
    ]
    for a, b, where, kind, ids, normal in cases:
        rows = a.at(pose(where)).motion.rows(), b.at(pose()).motion.rows()
        found = closest_contacts(a, b, *rows, np.zeros(1), np.zeros((1, 2), np.int32))
        assert (found.kind[0], tuple(found.ids[0])) == (kind, ids)
        np.testing.assert_allclose(found.normals[0], normal / np.linalg.norm(normal), atol=1e-9)


def batch(n):
    a, b = hull(RNG, 20), box(1, 2, 1, cuts=1)
    starts, ends = (
        np.array([pose(x, turn) for x, turn in zip(xs, RNG.standard_normal((n, 3)), strict=True)])
        for xs in (5.0 * RNG.standard_normal((n, 3)), 0.5 * RNG.standard_normal((n, 3)))
    )
    return a, b, a.moving(starts, ends).motion.rows(), b.at(pose()).motion.rows()


def searched(a, b, rows_a, rows_b):
    from firstcontact.rigid.first_times import first_times

    return first_times(body_of(a), body_of(b), (rows_a, rows_b), options(1e-6))


def test_batches_are_like_singles_for_any_number_of_threads(monkeypatch):
    monkeypatch.setattr(module, "WORTH_A_THREAD", 4)
    a, b, rows_a, rows_b = batch(40)
    found = searched(a, b, rows_a, rows_b)
    all_of_them = closest_contacts(a, b, rows_a, rows_b, found.time, found.triangles)
    numba.set_num_threads(1)
    try:
        one_thread = closest_contacts(a, b, rows_a, rows_b, found.time, found.triangles)
    finally:
        numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    assert_rows_are(all_of_them, one_thread)
    for i in range(len(rows_a)):
        row = slice(i, i + 1)
        single = closest_contacts(a, b, rows_a[row], rows_b, found.time[row], found.triangles[row])
        assert_rows_are(all_of_them, single, row)


def test_swapped_bodies_have_swapped_contacts():
    a, b, rows_a, rows_b = batch(40)
    found = searched(a, b, rows_a, rows_b)
    rows_b = np.repeat(rows_b, len(rows_a), axis=0)
    there = closest_contacts(a, b, rows_a, rows_b, found.time, found.triangles)
    back = closest_contacts(b, a, rows_b, rows_a, found.time, np.ascontiguousarray(found.triangles[:, ::-1]))
    assert [KINDS.get(kind, kind) for kind in there.kind] == back.kind.tolist()
    np.testing.assert_array_equal(there.ids, back.ids[:, ::-1])
    np.testing.assert_allclose(there.points, back.points, atol=1e-12)
    np.testing.assert_allclose(there.normals, -back.normals, atol=1e-6)


def test_of_nothing():
    cube = box(1, 1, 1)
    rows = cube.at(np.empty((0, 4, 4))).motion.rows()
    found = closest_contacts(cube, cube, rows, rows, np.empty(0), np.empty((0, 2), np.int32))
    assert [x.shape for x in found] == [(0,), (0, 2), (0, 3), (0, 3), (0,)]
