"""Meshes with a thickness: deforming ones against brute force, rigid ones against rounded solids."""

import copy
import pickle

import numpy as np
import pytest

import firstcontact as fc
from oracles.brute_force_contacts import edges_of, faces_of, vertices_of
from oracles.exact_ccd import first_time
from properties.meshes import generate, grid
from samples import sample

# Sums of radii are rounded up by as much.
ROUNDED_UP = 1.0 + 2.0**-50
HERE, AWAY = np.eye(4), (np.eye(3), [0.25, 0.125, 2.0])


def radii_of(features, faces, thickness):
    """The radius of each feature: the largest of the corners of a face that it belongs to."""
    of_faces = [max(thickness[v] for v in face) for face in faces.tolist()]
    return [
        max(r for r, face in zip(of_faces, faces.tolist(), strict=True) if set(own) <= set(face))
        for own in features.corners
    ]


def touching_pairs(body, thickness, min_separation):
    """Every pair of features of a mesh that comes within both radii and the separation, with its time."""
    vertices, edges, faces = (of(body.faces) for of in (vertices_of, edges_of, faces_of))
    found = {}
    for kind, first, second in ((0, vertices, faces), (1, edges, edges)):
        radii = [radii_of(features, body.faces, thickness) for features in (first, second)]
        for i, f in enumerate(first.corners):
            for j, g in enumerate(second.corners):
                if set(f) & set(g) or (kind == 1 and i > j):
                    continue
                separation = (radii[0][i] + radii[1][j] + min_separation) * ROUNDED_UP
                start, end = [*body.start[f], *body.start[g]], [*body.end[f], *body.end[g]]
                time = first_time("ee" if kind else "vf", start, end, separation)
                if time.hit:
                    found[kind, first.ids[i], second.ids[j]] = time
    return found


@pytest.mark.parametrize("min_separation", [0.0, 0.0625])
def test_deforming_features_touch_within_their_thickness(min_separation):
    for seed in range(sample(1, of=4)):
        rng = np.random.default_rng(seed)
        body = generate("waving", seed).a
        thickness = rng.choice([0.0, 0.03, 0.11], len(body.start)) + 0.01
        mesh = fc.Mesh(body.start, body.faces, thickness)
        truth = touching_pairs(body, thickness, min_separation)
        found = fc.contacts(mesh.deforming(body.start, body.end), min_separation=min_separation)
        pairs = zip(found.kind.tolist(), found.ids_a.tolist(), found.ids_b.tolist(), strict=True)
        rows = {pair: row for row, pair in enumerate(pairs) if pair[0] < 2}  # others pass through
        assert rows.keys() == truth.keys()
        for pair, row in rows.items():
            assert found.time[row] <= truth[pair].lower
            assert truth[pair].upper <= found.time_upper[row]
        first = min((time.lower for time in truth.values()), default=1.0)
        assert fc.safe_step(mesh.deforming(body.start, body.end), min_separation=min_separation) <= first


def test_a_thickness_of_two_meshes_is_their_separation():
    places, faces = grid(3, 3)
    above = places + np.array([0.3, 0.2, 1.0])
    thin, thick = fc.Mesh(places, faces), fc.Mesh(places, faces, 0.0625)
    other = fc.Mesh(places, faces, 0.1875)
    by_both = fc.contacts(thick.deforming(above, above - [0, 0, 1.5]), other)
    by_one = fc.contacts(thin.deforming(above, above - [0, 0, 1.5]), thin, min_separation=0.25)
    assert sorted(zip(by_both.kind, by_both.ids_a, by_both.ids_b, strict=True)) == sorted(
        zip(by_one.kind, by_one.ids_a, by_one.ids_b, strict=True)
    )
    assert by_both.time.min() == pytest.approx(0.5, abs=1e-12)
    # Between the two surfaces, which are where the material ends.
    assert by_both.points[by_both.time < 0.5 + 1e-6][:, 2] == pytest.approx(0.1875, abs=1e-9)
    ball = fc.Sphere(0.5).at((np.eye(3), [1.5, 1.5, -1.0]))
    falling = thick.deforming(above, above - [0, 0, 1.5])
    assert fc.first_contact(falling, ball).time == pytest.approx((2.0 - 0.5 - 0.0625) / 1.5, abs=1e-5)
    assert fc.clearance(thick.deforming(above, above), ball).distance == pytest.approx(1.4375, rel=0.02)
    field = fc.DistanceField.of(fc.Sphere(0.5), 1e-3).at((np.eye(3), [1.5, 1.5, -1.0]))
    assert fc.first_contact(falling, field).time == pytest.approx((2.0 - 0.5 - 0.0625) / 1.5, abs=1e-2)


@pytest.mark.parametrize("radius", [0.125, 0.5])
def test_a_thick_box_is_a_rounded_one(radius):
    box, other = fc.Box([1, 2, 3]), fc.Box([0.5, 0.5, 0.5])
    thick, rounded = fc.Mesh(box.mesh.vertices, box.mesh.faces, radius), fc.Rounded(box, radius)
    rng = np.random.default_rng(3)
    for b in (other, other.mesh, fc.Mesh(other.mesh.vertices, other.mesh.faces, 0.25)):
        own = fc.Rounded(other, 0.25) if isinstance(b, fc.Mesh) and b.is_thick else other
        for _ in range(sample(4, of=20)):
            place, way = rng.normal(size=3) * 3.0, rng.normal(size=3) * 4.0
            want = fc.distance(rounded, own.at((np.eye(3), place))).distance
            found = fc.distance(thick, b.at((np.eye(3), place)), solid=isinstance(b, fc.Mesh) and want == 0.0)
            assert found.distance == pytest.approx(want, abs=1e-9)
            assert fc.intersects(thick, b.at((np.eye(3), place)), solid=want == 0.0) == (want == 0.0)
            if want > 0.0:
                moving = [
                    x.moving((np.eye(3), place), velocity=way, angular_velocity=[1, 2, 0]) for x in (b, own)
                ]
                assert fc.first_contact(thick, moving[0]).time == pytest.approx(
                    fc.first_contact(rounded, moving[1]).time, abs=1e-4
                )
                assert fc.Scene(a=thick, b=moving[0]).first_contact().time == pytest.approx(
                    fc.first_contact(rounded, moving[1]).time, abs=1e-4
                )


def test_a_robot_keeps_off_a_thick_wall():
    wall, faces = fc.Box([0.1, 4, 4]).mesh.vertices, fc.Box([0.1, 4, 4]).mesh.faces
    arm = fc.Robot(
        {"base": (), "arm": fc.Sphere(0.5)}, [fc.Joint("slide", "prismatic", "base", "arm", axis=[1, 0, 0])]
    )
    thick = fc.Mesh(wall + np.array([3.0, 0, 0]), faces, 0.25)
    assert fc.first_contact(arm.moving([0.0], [4.0]), thick).time == pytest.approx(2.2 / 4.0, abs=1e-4)
    assert fc.is_free(arm.moving([0.0], [2.19]), thick)
    assert not fc.is_free(arm.moving([0.0], [2.21]), thick)
    assert fc.distance(arm.at([0.0]), thick).distance == pytest.approx(2.2, abs=1e-9)


def test_what_knows_no_thickness_says_so():
    places, faces = grid(1, 1)
    thick, thin = fc.Mesh(places, faces, 0.1), fc.Mesh(places, faces)
    asked = {
        "penetration": (thin, thick),
        "depths": (thick, thin),
        "intersections": (thick, thin),
        "intersects": (thick,),
        "ray_cast": (thick, [0, 0, 1], [0, 0, -1]),
        "signed_distance": (thick.at(HERE), [[0, 0, 1]]),
        "contains": (thick, [0, 0, 1]),
        "swept_volume": (thick.at(HERE),),
    }
    for verb, things in asked.items():
        with pytest.raises(TypeError, match=f"{verb} knows no thickness, and [ab] has one"):
            getattr(fc, verb)(*things)
    with pytest.raises(TypeError, match="knows no thickness"):
        fc.ray_cast(fc.Compound([fc.Sphere(1), thick]), [0, 0, 1], [0, 0, -1])
    for make in (fc.DistanceField.of, fc.Voxels.of):
        with pytest.raises(TypeError, match="no thickness, and the shape has one"):
            make(thick, 0.1)
    with pytest.raises(TypeError, match="knows no thickness"):
        thick.sphere_tree(2)
    with pytest.raises(TypeError, match="knows no thickness"):
        thick.convex_parts(0.1)
    with pytest.raises(ValueError, match="one for each of 4 vertices"):
        fc.Mesh(places, faces, [1.0, 2.0])


def test_a_mesh_keeps_its_thickness_wherever_it_goes():
    places, faces = grid(2, 1)
    thickness = np.arange(len(places)) / 8.0
    mesh = fc.Mesh(places, faces, thickness)
    assert mesh.radii.tolist() == [thickness[face].max() for face in mesh.faces]
    for one in (pickle.loads(pickle.dumps(mesh)), copy.deepcopy(mesh), mesh.placed(mesh.vertices)):
        assert np.array_equal(one.radius, thickness)
        assert one.content is mesh.content
    assert fc.Mesh(places, faces).content is not mesh.content
    assert fc.Mesh(places, faces, 0.0).content is fc.Mesh(places, faces).content
    assert mesh.bounds[1, 2] == thickness.max()
