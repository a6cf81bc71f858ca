"""Contacts with a field: none is missed, none is far off, and forces are derivatives of energies."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from when_asked import WhenAsked

TOLERANCE = 0.02
SHAPES = {"ball": fc.Sphere(1.0), "box": fc.Box([2.0, 1.0, 1.0])}
FIELDS = WhenAsked(lambda name: fc.DistanceField.of(SHAPES[name], TOLERANCE))
CUBE = fc.Box([1.0, 1.0, 1.0]).mesh


def box_distances(points):
    q = np.abs(points) - np.array([1.0, 0.5, 0.5])
    return np.linalg.norm(np.maximum(q, 0), axis=1) + np.minimum(q.max(axis=1), 0)


@pytest.mark.parametrize("within", [-0.3, -0.01, 0.0, 0.002, 0.2, 1.5])
def test_every_point_within_is_listed_and_none_that_is_far(within):
    rng = np.random.default_rng(0)
    points = rng.uniform(-2.5, 2.5, (20_000, 3))
    truth = box_distances(points)
    found = fc.contacts(points, FIELDS["box"], within=within)
    is_listed = np.isin(np.arange(len(points)), found.vertex_ids)
    assert is_listed[truth <= within].all()
    is_in_box = ((points >= FIELDS["box"].box[0]) & (points <= FIELDS["box"].box[1])).all(axis=1)
    assert not is_listed[is_in_box & (truth > within + 2 * TOLERANCE)].any()
    rows = is_in_box[found.vertex_ids]
    assert np.abs(found.distance - truth[found.vertex_ids])[rows].max(initial=0.0) <= TOLERANCE
    assert np.array_equal(found.points, points[found.vertex_ids])
    assert np.array_equal(found.depth, np.maximum(-found.distance, 0))


def slab(low, high):
    """The field of what is between two heights of the box above."""
    vertices = fc.Box([2.0, 1.0, high - low]).mesh.vertices + np.array([0, 0, 0.5 * (low + high)])
    return fc.DistanceField.of(fc.ConvexHull(vertices), 0.05, margin=1.7)


@pytest.mark.parametrize(
    ("made", "is_exact"),
    [
        (lambda: slab(-0.5, 0.1).union(slab(-0.1, 0.5)), (True, False)),
        (lambda: slab(-0.5, 0.7).intersection(slab(-0.7, 0.5)), (False, True)),
        (lambda: slab(-0.5, 0.7).difference(slab(0.5, 0.9)), (False, True)),
        (lambda: slab(-0.5, 0.1).union(slab(-0.1, 0.5)).intersection(slab(-0.5, 0.5)), (False, False)),
    ],
)
def test_of_fields_of_fields_no_point_is_left_out_or_it_is_refused(made, is_exact):
    field = made()
    assert field.is_exact == is_exact
    points = np.random.default_rng(4).uniform(-1.1, 1.1, (5_000, 3))
    truth = box_distances(points)
    for within in (0.0, 0.2, 0.8) + ((-0.3, -0.01) if is_exact[1] else ()):
        listed = fc.contacts(points, field, within=within).vertex_ids
        assert set(np.flatnonzero(truth <= within)) <= set(listed)
        if is_exact[0] or within + 2 * field.tolerance < 0:
            assert truth[listed].max() <= within + 2 * field.tolerance
    if not is_exact[1]:
        with pytest.raises(ValueError, match=r"^a within below 0 needs a field that is exact inside"):
            fc.contacts(points, field, within=-0.3)


@pytest.mark.parametrize(("distance", "is_exact"), [(0.5, (True, False)), (-0.4, (False, True))])
def test_of_offsets_no_point_is_left_out_or_it_is_refused(distance, is_exact):
    field = fc.DistanceField.of(fc.Sphere(1.0), TOLERANCE, margin=1.5).offset(distance)
    assert field.is_exact == is_exact
    points = np.random.default_rng(5).uniform(-2.0, 2.0, (5_000, 3))
    truth = np.linalg.norm(points, axis=1) - 1.0 - distance
    for within in (0.0, 0.3) if is_exact[0] else (-0.2, 0.0, 0.3):
        listed = fc.contacts(points, field, within=within).vertex_ids
        assert set(np.flatnonzero(truth <= within)) <= set(listed)
        assert truth[listed].max() <= within + 2 * field.tolerance
    if is_exact[0]:
        with pytest.raises(ValueError, match=r"points deeper than that could be missing; use within=0$"):
            fc.contacts(points, field, within=-1e-9)


def test_vertices_of_meshes_at_poses():
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = Rotation.from_rotvec([0.3, 0.2, -0.5]).as_matrix(), [0.9, 0.1, 0.0]
    vertices = CUBE.at(pose).vertices(0.0)
    expected = fc.contacts(vertices, FIELDS["ball"], within=0.1)
    assert 0 < len(expected) < 8
    assert fc.contacts(CUBE.at(pose), FIELDS["ball"], within=0.1) == expected
    assert fc.contacts(fc.Mesh(vertices, CUBE.faces), FIELDS["ball"], within=0.1) == expected


def test_points_have_their_radii():
    rng = np.random.default_rng(2)
    points, radii = rng.uniform(-1.4, 1.4, (500, 3)), rng.choice([0.0, 0.1, 0.3], 500)
    truth = box_distances(points) - radii
    for cloud in (fc.Points(points, radii), fc.Strands(points, [500], radii)):
        found = fc.contacts(cloud, FIELDS["box"], within=0.1)
        is_listed = np.isin(np.arange(500), found.vertex_ids)
        assert is_listed[truth <= 0.1].all()
        assert not is_listed[truth > 0.1 + 2 * TOLERANCE].any()
        assert np.abs(found.distance - truth[found.vertex_ids]).max() <= TOLERANCE
    with pytest.raises(ValueError, match=r"^contacts with a field are of one instant, and a moves"):
        fc.contacts(cloud.moving(np.eye(4), velocity=[1, 0, 0]), FIELDS["box"])


def test_a_field_at_a_pose_is_asked_where_it_stands():
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = Rotation.from_rotvec([0.3, -0.2, 0.9]).as_matrix(), [5.0, -2.0, 1.0]
    points = np.random.default_rng(3).uniform(-1.2, 1.2, (500, 3))
    there = points @ pose[:3, :3].T + pose[:3, 3]
    field = FIELDS["box"]
    own, placed = (fc.contacts(*asked, within=0.1) for asked in ((points, field), (there, field.at(pose))))
    assert np.array_equal(own.vertex_ids, placed.vertex_ids)
    assert np.abs(own.distance - placed.distance).max() < 1e-12
    assert np.abs(own.penalty(9.0).forces @ pose[:3, :3].T - placed.penalty(9.0).forces).max() < 1e-9
    turned = pose[:3, :3] @ own.penalty(9.0).gradients @ pose[:3, :3].T
    assert np.abs(turned - placed.penalty(9.0).gradients).max() < 1e-9
    with pytest.raises(ValueError, match=r"^contacts with a field are of one instant, and b moves"):
        fc.contacts(points, FIELDS["box"].moving(np.eye(4), velocity=[1, 0, 0]))
    with pytest.raises(ValueError, match=r"^b has a batch of 2 poses"):
        fc.contacts(points, FIELDS["box"].at(np.stack([pose, pose])))


def test_normals_lead_out():
    rng = np.random.default_rng(1)
    points = rng.normal(size=(500, 3))
    found = fc.contacts(points, FIELDS["ball"], within=0.5)
    outwards = found.points / np.linalg.norm(found.points, axis=1, keepdims=True)
    is_clear = np.linalg.norm(found.points, axis=1) > 0.3
    assert np.einsum("ij,ij->i", found.normals, outwards)[is_clear].min() > 0.95
    assert np.allclose(np.linalg.norm(found.normals, axis=1), 1.0)


@pytest.mark.parametrize("gain", [None, 0.5, 0.75])
@pytest.mark.parametrize("field", ["ball", "box"])
def test_forces_are_minus_derivatives_of_energies_and_gradients_those_of_forces(field, gain):
    rng = np.random.default_rng(2)
    step, within, n_sure = 1e-5, 4.0, 0
    points = rng.uniform(-2.5, 2.5, (2_000, 3))
    pushed = fc.contacts(points, FIELDS[field], within=within).penalty(7.0, gain=gain)
    for axis in np.eye(3):
        ahead, behind = (
            fc.contacts(points + way * step * axis, FIELDS[field], within=within).penalty(7.0, gain=gain)
            for way in (1, -1)
        )
        force = -(ahead.energy - behind.energy) / (2 * step)
        slope = (ahead.forces - behind.forces) / (2 * step)
        # But for the few points that have a border of cells so near.
        is_same = np.abs(slope - pushed.gradients @ axis).max(axis=1) < 1e-4
        n_sure += np.count_nonzero(is_same)
        assert np.allclose(force[is_same], (pushed.forces @ axis)[is_same], atol=1e-6)
    assert n_sure > 0.99 * 3 * len(points)
    assert np.array_equal(pushed.gradients, np.swapaxes(pushed.gradients, 1, 2))


def test_a_spring_pushes_by_its_depth_and_a_gain_at_most_by_the_stiffness():
    points = [[0, 0, 0.95], [0, 0, 0.6], [0, 0, 1.2]]
    found = fc.contacts(points, FIELDS["ball"], within=0.3)
    spring, ramp = found.penalty(10.0), found.penalty(10.0, gain=0.5)
    lengths = np.linalg.norm(found.gradients, axis=1)
    assert np.allclose(np.linalg.norm(spring.forces, axis=1), 10 * (0.3 - found.distance) * lengths)
    assert np.allclose(np.linalg.norm(ramp.forces, axis=1)[:2], 10 * lengths[:2])
    assert np.allclose(
        np.linalg.norm(ramp.forces, axis=1)[2], 10 * (0.3 - found.distance[2]) / 0.3 * lengths[2]
    )


def test_beyond_the_distance_nothing_pushes():
    found = fc.contacts([[0, 0, 1.0 + 0.5 * TOLERANCE], [0, 0, 0.5]], FIELDS["ball"])
    pushed = found.penalty(10.0)
    for row in np.flatnonzero(found.distance >= 0.0):
        assert not pushed.forces[row].any()
        assert not pushed.gradients[row].any()
    assert pushed.energy[-1] > 0.0


def test_friction_is_against_what_slides():
    found = fc.contacts([[0, 0, 0.9], [0, 0, -0.9]], FIELDS["ball"])
    drag = found.friction(2.0, [[1.0, 0, 0], [0, 0, 1]])
    push = np.linalg.norm(found.penalty(1.0).forces, axis=1) / np.linalg.norm(found.gradients, axis=1)
    assert np.allclose(drag, [[-2 * push[0], 0, 0], [0, 0, 0]], atol=0.05)
    assert np.allclose(np.einsum("ij,ij->i", drag, found.normals), 0.0)
    with pytest.raises(
        ValueError, match=r"^velocities must have a row for each of the 2 contacts; received 1$"
    ):
        found.friction(2.0, [[1, 0, 0]])


def test_nothing_is_near_nothing():
    for nothing in (np.empty((0, 3)), [], fc.Mesh([], []), [[9.0, 9, 9]]):
        found = fc.contacts(nothing, FIELDS["ball"], within=0.1)
        assert len(found) == 0
        assert found.penalty(1.0).gradients.shape == (0, 3, 3)
    assert repr(fc.contacts([[0, 0, 0.9]], FIELDS["ball"])) == "FieldContacts(1 points, 1 inside)"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: fc.contacts([[0, 0, np.nan]], FIELDS["ball"]), "a must be finite; row 0 has nan"),
        (lambda: fc.contacts([0, 0, 0], FIELDS["ball"]), r"a must have shape \(n, 3\); received \(3,\)"),
        (lambda: fc.contacts(CUBE, FIELDS["ball"], within=np.inf), "within must be a finite number in "),
        (lambda: fc.contacts(CUBE, FIELDS["ball"], exact=False), "exact=False has no meaning for fields"),
        (lambda: fc.contacts(CUBE.at(np.stack([np.eye(4)] * 2)), FIELDS["ball"]), "a has a batch of 2 poses"),
        (
            lambda: fc.contacts(CUBE.moving(np.eye(4), velocity=[1, 0, 0]), FIELDS["ball"]),
            "contacts with a field are of",
        ),
        (
            lambda: fc.contacts(CUBE, CUBE, within=0.1),
            "within has no meaning for what deforms: it goes with a",
        ),
        (
            lambda: fc.contacts(CUBE, FIELDS["ball"]).penalty(-1),
            "stiffness must be a finite number at least 0",
        ),
        (
            lambda: fc.contacts(CUBE, FIELDS["ball"]).penalty(1, gain=0.7),
            "gain must be below 1, and goes with a within",
        ),
        (
            lambda: fc.contacts(CUBE, FIELDS["ball"], within=1).penalty(1, gain=1),
            "gain must be below 1, and goes with",
        ),
        (
            lambda: fc.contacts(CUBE, FIELDS["ball"], within=1).penalty(1, gain=0.2),
            r"gain must be a finite number in \[0.5",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(call, words):
    with pytest.raises(ValueError, match=f"^{words}"):
        call()


def test_what_has_no_vertices_is_refused():
    with pytest.raises(TypeError, match=r"^contacts lists features of meshes, and a is a Sphere"):
        fc.contacts(fc.Sphere(1), FIELDS["ball"])
