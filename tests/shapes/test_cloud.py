"""Points: what they keep, where they reach, and what is refused."""

import copy
import pickle

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.shapes.cloud import as_cloud


def test_points_keep_what_they_are_given_and_travel():
    cloud = fc.Points([[0, 0, 0], [3, 0, 0]], [1, 0.5])
    assert cloud.bounds.tolist() == [[-1, -1, -1], [3.5, 1, 1]]
    assert cloud.faces.tolist() == [[0, 0, 0], [1, 1, 1]]
    for one in (pickle.loads(pickle.dumps(cloud)), copy.deepcopy(cloud)):
        assert type(one) is fc.Points
        assert one.radius.tolist() == [1.0, 0.5]
        assert one.positions.tolist() == cloud.positions.tolist()
    with pytest.raises(ValueError, match="read-only"):
        cloud.radius[0] = 2.0


def test_a_cloud_reaches_as_far_as_its_balls():
    rng = np.random.default_rng(0)
    cloud = fc.Points(rng.normal(size=(9, 3)), rng.random(9))
    ways = rng.normal(size=(20, 3))
    sizes = np.linalg.norm(ways, axis=1)
    true = (cloud.positions @ ways.T + cloud.radius[:, np.newaxis] * sizes).max(axis=0)
    assert (cloud.support(ways) >= true * (1 - 1e-15)).all()
    away = np.linalg.norm(cloud.positions - cloud.bounds.mean(axis=0), axis=1) + cloud.radius
    assert cloud.farthest == pytest.approx(away.max())


def test_radii_and_meshes_of_the_same_faces_are_other_contents():
    thin, thick = fc.Points([[0, 0, 0]]), fc.Points([[0, 0, 0]], 1.0)
    mesh = fc.Mesh(thin.vertices, thin.faces)
    assert len({one.content.digest for one in (thin, thick, mesh)}) == 3
    there = (np.eye(3), [3, 0, 0])
    assert [fc.distance(one, thin.at(there)).distance for one in (thin, thick, mesh)] == [3.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ("radius", "sentence"),
    [
        (-1, "radius must be 0 or more; row 0 has -1"),
        ([1, 2, 3], "radius must be one number, or one for each of 2 points"),
        (np.nan, "radius must be finite"),
        ([0, 1e60], "radius must lie within"),
    ],
)
def test_bad_radii_are_refused_in_a_sentence(radius, sentence):
    with pytest.raises(ValueError, match=sentence):
        fc.Points([[0, 0, 0], [1, 0, 0]], radius)


def test_nothing_is_far_from_everything():
    nothing = fc.Points([])
    assert fc.distance(nothing, fc.Sphere(1)).distance == np.inf
    assert not fc.first_contact(nothing.moving(np.eye(4), velocity=[1, 0, 0]), fc.Sphere(1))
    assert not fc.ray_cast(nothing, [0, 0, 0], [1, 0, 0]).hit
    assert fc.signed_distance(nothing, [0, 0, 0]).distance == np.inf


def test_what_knows_no_points_says_so():
    cloud = fc.Points([[0, 0, 0]], 1.0)
    with pytest.raises(
        TypeError, match=r"^a field is of a convex shape or a mesh, and the shape is a Points$"
    ):
        fc.DistanceField.of(cloud, 0.1)
    with pytest.raises(TypeError, match=r"^penetration knows no points and strands, and a is a Points"):
        fc.penetration(cloud, fc.Sphere(1))
    with pytest.raises(TypeError, match=r"^penetration knows no points and strands, and a is a Points"):
        fc.Tracker(cloud, fc.Sphere(1)).penetration(np.eye(4))
    with pytest.raises(TypeError, match=r"^a Sphere is made neither of points nor of strands$"):
        as_cloud(fc.Sphere(1))
    with pytest.raises(ValueError, match=r"^sign is for meshes, and the shape is a Points: leave it out$"):
        fc.signed_distance(cloud, [0, 0, 0], sign="winding")


@pytest.mark.parametrize("cloud", [fc.Points([[0, 0, 0]]), fc.Strands([[0, 0, 0]], [1])], ids=str)
def test_what_is_of_meshes_alone_is_refused(cloud):
    name = type(cloud).__name__
    for ask in (cloud.report, lambda: cloud.convex_parts(0.1)):
        with pytest.raises(TypeError, match=rf"^\w+ is of meshes, and a {name} is none$"):
            ask()
    with pytest.raises(TypeError, match=rf"^from_trimesh makes a Mesh, and {name} are none"):
        type(cloud).from_trimesh(fc.Box([1, 1, 1]).mesh)
