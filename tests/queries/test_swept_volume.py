"""Swept volumes: what moves is inside, the mesh is near it, closed, and nowhere through itself."""

import pickle

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import firstcontact as fc
from oracles.swept_points import is_closed_manifold, least_distances, sampled_distances, swept_points
from poses import pose, random_poses

START, END, *MORE = random_poses(4, seed=5)
HERE = np.eye(4)
BOX = fc.Box([1, 0.6, 0.4])
OUTLINE = (0, 0), (1, 0), (1, 0.3), (0.3, 0.3), (0.3, 1), (0, 1)
LSHAPE = fc.Mesh(
    [[x, y, z] for z in (0, 0.4) for x, y in OUTLINE],
    [
        *([0, 2, 1], [0, 3, 2], [0, 5, 3], [3, 5, 4], [6, 7, 8], [6, 8, 9], [6, 9, 11], [9, 10, 11]),
        *([k, (k + 1) % 6, 6 + (k + 1) % 6] for k in range(6)),
        *([k, 6 + (k + 1) % 6, 6 + k] for k in range(6)),
    ],
)
ARM = fc.Robot(
    {"base": fc.Cylinder(0.2, 0.4), "upper": fc.Capsule(0.1, 0.8), "hand": [fc.Box([0.3, 0.2, 0.1])]},
    [
        fc.Joint("shoulder", "revolute", "base", "upper", (np.eye(3), [0, 0, 0.4]), axis=[0, 1, 0]),
        fc.Joint("wrist", "revolute", "upper", "hand", (np.eye(3), [0, 0, 0.6]), axis=[0, 0, 1]),
    ],
)
GRID = fc.Mesh([[x, y, 0] for x in range(3) for y in range(3)], [[0, 3, 1], [3, 4, 1], [4, 7, 5], [1, 4, 2]])
ROPE = fc.Strands([[0, 0, 0], [0.5, 0, 0], [0.5, 0.5, 0]], [3], 0.1)
HAMMER = fc.Compound(
    [
        fc.Cylinder(0.2, 1),
        fc.Box([0.4, 0.4, 0.4]).mesh.at((np.eye(3), [0, 0, 0.6])),
        fc.Voxels([[0, 0, 0]], 0.4),
    ]
)
TURNED = LSHAPE.vertices @ pose(turn=[0.3, 0.4, 1.5])[:3, :3] + [0.5, 1, 0]

THINGS = {
    "box, straight": BOX.moving(HERE, velocity=[2, 1, 0]),
    "box, turning": BOX.moving(START, velocity=[1, 0, 0.5], angular_velocity=[0, 1, 3]),
    "ball, thrown": fc.Sphere(0.3).moving(HERE, velocity=[2, 0, 3], acceleration=[0, 0, -6]),
    "cylinder, screw": fc.Cylinder(0.2, 1).moving(START, END, path="screw"),
    "cone, spline": fc.Cone(0.4, 0.8).along(fc.Spline([0, 0.5, 1], np.stack([START, END, MORE[0]]))),
    "ellipsoid, poses": fc.Ellipsoid([0.2, 0.4, 0.6]).along(np.stack([START, END, MORE[0]]), [0, 0.3, 1]),
    "rounded, formula": fc.Rounded(BOX, 0.1).along(
        fc.motion(lambda t: (np.array([np.cos(3 * t), np.sin(3 * t), t]), np.array([0, 0, 2 * t])))
    ),
    "mesh, turning": LSHAPE.moving(HERE, velocity=[0, 0, 1], angular_velocity=[0, 0, 4]),
    "open mesh": GRID.moving(HERE, velocity=[0, 0.2, 1], angular_velocity=[1, 0, 0]),
    "rope": ROPE.moving(START, END),
    "points": fc.Points(np.random.default_rng(0).normal(size=(20, 3)), 0.1).moving(HERE, velocity=[0, 0, 1]),
    "at rest": LSHAPE.at(START),
    "deforming": LSHAPE.deforming(LSHAPE.vertices, TURNED),
    "deforming twice": LSHAPE.along([LSHAPE.vertices, TURNED, LSHAPE.vertices + 1]),
    "deforming rope": ROPE.deforming(ROPE.vertices, -ROPE.vertices + [0, 0, 1]),
    "robot": ARM.moving([0, 0], [2, 3]),
    "robot, spline": ARM.along(CubicSpline([0, 1, 2], [[0, 0], [1, 2], [-1, 0]])),
    "shape alone": BOX,
    "compound": HAMMER.moving(START, velocity=[1, 0, 0.5], angular_velocity=[0, 1, 2]),
}
SOLIDS = (
    "box, turning",
    "cone, spline",
    "mesh, turning",
    "rope",
    "deforming",
    "deforming rope",
    "robot",
    "compound",
)


def moving_of(name):
    thing = THINGS[name]
    return thing if isinstance(thing, fc.Moving) else thing.at(HERE)


@pytest.fixture(scope="module", params=THINGS)
def swept(request):
    return moving_of(request.param), fc.swept_volume(THINGS[request.param], 0.15)


def test_the_sweep_is_inside(swept):
    moving, found = swept
    points = swept_points(moving, np.random.default_rng(1), 80, 100)
    assert fc.contains(found.mesh, points).all()
    assert found.volume > 0.0


def test_the_mesh_is_within_the_tolerance(swept):
    moving, found = swept
    assert 0.0 < found.outer_error <= found.tolerance == 0.15
    places = np.concatenate([found.vertices, found.vertices[found.faces].mean(axis=1)])
    some = places[np.random.default_rng(2).permutation(len(places))[:1500]]
    far = least_distances(moving, some, 1e-4, enough=0.8 * found.outer_error)
    assert far.max() <= found.outer_error


def test_the_mesh_is_closed_and_looks_out(swept):
    _, found = swept
    assert is_closed_manifold(found.faces)
    corners = found.vertices[found.faces]
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    assert areas.min() > 0.0
    assert np.array_equal(found.mesh.bounds, found.bounds)


@pytest.mark.parametrize("name", ["box, turning", "deforming", "open mesh"])
def test_the_mesh_nowhere_meets_itself(name):
    assert not fc.intersects(fc.swept_volume(THINGS[name], 0.25).mesh)


@pytest.mark.parametrize("name", SOLIDS)
def test_the_inner_mesh_is_inside_and_holds_what_is_deep(name):
    moving, tolerance = moving_of(name), 0.1 if "rope" not in name else 0.05
    found = fc.swept_volume(THINGS[name], tolerance, inner=True)
    assert found.outer_error == 0.0
    assert found.is_inner
    assert is_closed_manifold(found.faces)
    some = found.vertices[np.random.default_rng(3).permutation(len(found.vertices))[:300]]
    assert least_distances(moving, some, 1e-4, enough=0.0).max() <= 0.0
    points = swept_points(moving, np.random.default_rng(4), 20, 200)
    is_deep = sampled_distances(moving, points, 33) < -tolerance
    assert is_deep.any()
    assert fc.contains(found.mesh, points[is_deep]).all()


def test_volumes_of_closed_forms_are_between_both():
    moving = fc.Sphere(0.5).moving(HERE, velocity=[2, 0, 0])
    truth = 4 / 3 * np.pi * 0.125 + np.pi * 0.25 * 2
    outer, inner = fc.swept_volume(moving, 0.05), fc.swept_volume(moving, 0.05, inner=True)
    assert inner.volume < truth < outer.volume
    assert outer.volume - truth < 0.05 * (4 * np.pi * 0.3 + 2 * np.pi * 0.55 * 2)


def test_a_void_within_the_sweep_is_left_out():
    ring = fc.Sphere(0.3).along(fc.motion(lambda t: np.array([np.cos(6.4 * t), np.sin(6.4 * t), 0 * t])))
    found = fc.swept_volume(ring, 0.1)
    assert not fc.contains(found.mesh, [0.0, 0.0, 0.0])
    sphere = fc.Sphere(1.0).mesh
    hollow = fc.Mesh(sphere.vertices, sphere.faces[1:])
    hole = fc.swept_volume(hollow, 0.1)
    assert not fc.contains(hole.mesh, [0.0, 0.0, 0.0])
    assert fc.contains(hole.mesh, sphere.vertices).all()


def test_a_closed_mesh_is_solid():
    assert fc.contains(fc.swept_volume(fc.Sphere(1.0).mesh, 0.1).mesh, [0.0, 0.0, 0.0])


def test_capsules_contain_the_sweep_and_say_how_far_they_go():
    for name in ("mesh, turning", "robot", "rope"):
        found = fc.swept_volume(THINGS[name], 0.12, method="capsules")
        points = swept_points(moving_of(name), np.random.default_rng(1), 40, 100)
        assert fc.contains(found.mesh, points).all()
        assert sampled_distances(moving_of(name), found.vertices[::50], 65).max() <= found.outer_error


def test_links_of_a_robot_can_be_chosen():
    whole = fc.swept_volume(THINGS["robot"], 0.1)
    hand = fc.swept_volume(THINGS["robot"], 0.1, links="hand")
    assert 0.0 < hand.volume < whole.volume
    points = swept_points(THINGS["robot"], np.random.default_rng(1), 40, 100, ["hand"])
    assert fc.contains(hand.mesh, points).all()
    assert len(fc.swept_volume(THINGS["robot"], 0.1, links=[]).faces) == 0
    with pytest.raises(ValueError, match="there is no link 'hant'; did you mean 'hand'"):
        fc.swept_volume(THINGS["robot"], 0.1, links=["hant"])


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_any_scale_gives_the_same(scale):
    def sweep(k):
        body, way = fc.Box([k, 0.6 * k, 0.4 * k]), pose([3.7 * k, 0, 0])
        return fc.swept_volume(body.moving(HERE, way), 0.2 * k)

    assert len(sweep(scale).faces) == pytest.approx(len(sweep(1.0).faces), rel=0.05)
    assert sweep(scale).volume == pytest.approx(sweep(1.0).volume * scale**3, rel=0.01)


def test_far_from_the_origin():
    moving = BOX.moving(pose([1e6, -1e6, 0]), velocity=[1, 0, 0], angular_velocity=[0, 0, 1])
    found = fc.swept_volume(moving, 0.1)
    assert fc.contains(found.mesh, swept_points(moving, np.random.default_rng(0), 40, 50)).all()
    with pytest.raises(ValueError, match="tolerance must be at least"):
        fc.swept_volume(BOX.at(pose([1e6, -1e6, 0])), 1e-9)
    with pytest.raises(ValueError, match="tolerance must be at least"):
        fc.swept_volume(BOX.at(pose([1e6, -1e6, 0])), 1e-9, inner=True)


def test_the_same_on_one_thread_as_on_two():
    from firstcontact._jit import threads_limited

    for name in ("mesh, turning", "deforming twice", "ellipsoid, poses"):
        many = fc.swept_volume(THINGS[name], 0.1)
        with threads_limited(1):
            one = fc.swept_volume(THINGS[name], 0.1)
        assert one == many


def test_nothing_is_swept_by_nothing():
    for thing in (fc.Mesh([], []), fc.Points([]), fc.Mesh([], []).moving(HERE, END)):
        found = fc.swept_volume(thing)
        assert len(found.faces) == 0
        assert found.volume == 0.0
    assert len(fc.swept_volume(fc.Mesh([], []), inner=True).faces) == 0


def test_the_usual_tolerance_is_a_part_of_the_size():
    found = fc.swept_volume(fc.Sphere(0.5).moving(HERE, velocity=[3, 0, 0]))
    assert found.tolerance == pytest.approx(4 / 64)
    assert fc.swept_volume(fc.Points([[1, 2, 3]]), 0.1).volume > 0.0
    with pytest.raises(ValueError, match="a point: give a tolerance"):
        fc.swept_volume(fc.Points([[1, 2, 3]]))


@pytest.mark.parametrize(
    ("thing", "options", "words"),
    [
        (BOX.moving(HERE, velocity=[[1, 0, 0], [2, 0, 0]]), {}, "of one motion; received a batch of 2"),
        (THINGS["deforming"], {"method": "capsules"}, "method has no meaning for what deforms"),
        (BOX, {"links": ["a"]}, "links are those of a robot"),
        (BOX, {"method": "voxels"}, "method must be"),
        (BOX, {"method": HERE}, "method must be"),
        (BOX, {"method": "capsules", "inner": True}, "inner=True has no meaning"),
        (GRID, {"inner": True}, "inner=True needs closed meshes"),
        (BOX, {"tolerance": 0.001, "max_cells": 100}, "more than 100 cells"),
        (BOX, {"tolerance": -1.0}, "tolerance must be positive"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(thing, options, words):
    with pytest.raises(ValueError, match=words):
        fc.swept_volume(thing, **({"tolerance": 0.1} | options))


def test_fields_and_robots_without_a_motion_are_refused():
    with pytest.raises(TypeError, match="swept_volume knows no fields"):
        fc.swept_volume(fc.DistanceField.of(fc.Sphere(1), 0.2))
    with pytest.raises(TypeError, match="a robot needs a configuration"):
        fc.swept_volume(ARM)
    with pytest.raises(TypeError, match="swept_volume knows no half-spaces"):
        fc.swept_volume(fc.HalfSpace([0, 0, 1]))


def test_the_answer_travels_and_is_written(tmp_path):
    found = fc.swept_volume(THINGS["box, straight"], 0.2)
    assert pickle.loads(pickle.dumps(found)) == found
    assert list(found.things) == ["moving"]
    file = tmp_path / "sweep.stl"
    found.save(file)
    again = fc.load(file)
    assert again.n_faces == len(found.faces)
    assert np.abs(again.bounds - found.bounds).max() < 1e-6
    assert "within" in repr(found)
    with pytest.raises(ValueError, match=r"must end in \.stl"):
        found.save(tmp_path / "sweep.txt")


def test_it_is_a_shape_for_other_queries():
    found = fc.swept_volume(THINGS["box, straight"], 0.2)
    ball = fc.Sphere(0.2).moving(pose([1, 5, 0]), velocity=[0, -9, 0])
    assert fc.first_contact(ball, found.mesh).time < fc.first_contact(ball, BOX).time


def test_progress_is_shown(capsys):
    fc.swept_volume(BOX, 0.3, progress=True)
    assert "sweeping" in capsys.readouterr().err
