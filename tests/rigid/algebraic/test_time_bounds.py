"""Boxes over stretches of time hold what moves, and pairs of groups lose no pair of faces."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.rigid.algebraic.exact_motion import numbers_of
from firstcontact.rigid.algebraic.time_bounds import (
    children_of,
    face_boxes,
    level_boxes,
    moving_faces,
    overlapping,
)
from oracles.quaternion_motion import vertices_at
from samples import sample

MESH, BOX = fc.Cylinder(0.4, 2.0).mesh, fc.Box([1, 2, 0.2]).mesh


def on_its_way(mesh, seed, far=1.0):
    turns = Rotation.random(2, random_state=np.random.RandomState(seed)).as_matrix()
    places = np.random.default_rng(seed).normal(size=(2, 3)) * far
    start, end = zip(turns, places, strict=True)
    return mesh.moving(start, end, path="quaternion", center=[0.2, 3.0, 0.1])


@pytest.mark.parametrize("seed", range(sample(4, of=40)))
@pytest.mark.parametrize("far", [1.0, 1e6])
def test_boxes_hold_their_faces(seed, far):
    moving = on_its_way(BOX, seed, far)
    faces = moving_faces(BOX.vertices, BOX.faces, numbers_of(moving.motion, 0))
    for start, end in ((0.0, 1.0), (0.25, 0.5), (0.4375, 0.5), (0.75, 0.75)):
        lower, upper = face_boxes(faces, start, end)
        for part in (0, 1, 2, 3, 5, 7):
            t = Fraction(start) + (Fraction(end) - Fraction(start)) * part / 7
            vertices = vertices_at(moving, t)
            for k, face in enumerate(BOX.faces[faces.order].tolist()):
                for x in zip(*(vertices[i] for i in face), lower[k], upper[k], strict=True):
                    assert Fraction(x[-2]) <= min(x[:3])
                    assert max(x[:3]) <= Fraction(x[-1])
        assert (upper - lower).max() < (60.0 + 6.0 * far) * (end - start) + 2.3


def test_groups_lose_no_pair():
    a, b = on_its_way(MESH, 1), on_its_way(MESH, 2)
    both = [moving_faces(MESH.vertices, MESH.faces, numbers_of(thing.motion, 0)) for thing in (a, b)]
    boxes = [face_boxes(faces, 0.25, 0.375) for faces in both]
    levels = [level_boxes(own, faces.n_levels) for own, faces in zip(boxes, both, strict=True)]
    assert [len(own[-1][0]) for own in levels] == [1, 1]
    (lower, upper), (lower_b, upper_b) = boxes
    is_common = (lower[:, None] <= upper_b).all(axis=2) & (lower_b <= upper[:, None]).all(axis=2)
    n = len(MESH.faces)
    pairs = np.array([[both[0].n_levels - 1, both[1].n_levels - 1, 0, 0]])
    while pairs[:, :2].any():
        pairs = overlapping(*levels, children_of(pairs, n, n))
    assert sorted(pairs[:, 2:].tolist()) == np.argwhere(is_common).tolist()
    assert 0 < is_common.sum() < is_common.size


def test_what_does_not_turn_goes_straight():
    straight = MESH.moving(np.eye(4), velocity=[1.0, 2.0, 3.0])
    faces = moving_faces(MESH.vertices, MESH.faces, numbers_of(straight.motion, 0))
    lower, upper = face_boxes(faces, 0.0, 1.0)
    corners = MESH.vertices[MESH.faces[faces.order]]
    assert np.allclose(lower, corners.min(axis=1))
    assert np.allclose(upper, corners.max(axis=1) + np.array([1, 2, 3]))
    assert numbers_of(MESH.moving(np.eye(4), angular_velocity=[0, 0, 1]).motion, 0) is None
