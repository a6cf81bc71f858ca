"""Elements of shapes: as near to the shape as they say."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.sweeping.elements import elements_of
from oracles.swept_points import points_of

ROUND = {
    "cylinder": fc.Cylinder(0.7, 2.0),
    "cone": fc.Cone(0.7, 2.0),
    "ellipsoid": fc.Ellipsoid([0.3, 1.0, 2.0]),
    "rounded cylinder": fc.Rounded(fc.Cylinder(0.7, 2.0), 0.2),
}


@pytest.mark.parametrize("name", ROUND)
@pytest.mark.parametrize("roundness", [0.1, 0.01])
def test_round_shapes_are_within_their_excess(name, roundness):
    shape = ROUND[name]
    elements = elements_of(shape, roundness)
    assert elements.excess <= 1.5 * roundness
    radius = float(elements.radii[0])
    core = fc.ConvexHull(elements.vertices)
    skin = fc.Rounded(core, radius) if radius else core
    rng = np.random.default_rng(0)
    ways = rng.normal(size=(2000, 3))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    # Of convex shapes, supports tell how far they are apart.
    assert (shape.support(ways) - skin.support(ways)).max() <= elements.excess
    assert (skin.support(ways) - shape.support(ways)).max() <= 1e-12
    assert fc.signed_distance(skin, points_of(shape, rng, 500)).distance.max() <= elements.excess


def test_what_has_flat_faces_is_exact():
    for shape in (fc.Box([1, 2, 3]), fc.ConvexHull(np.random.default_rng(0).normal(size=(9, 3)))):
        elements = elements_of(shape, 0.5)
        assert elements.excess == 0.0
        assert elements.solid is not None
        assert np.ptp(elements.vertices, axis=0) == pytest.approx(np.ptp(shape.bounds, axis=0))
    box = elements_of(fc.Rounded(fc.Box([1, 2, 3]), 0.25), 0.5)
    assert (box.radii == 0.25).all()


def test_balls_and_capsules_are_a_point_and_a_segment():
    ball, capsule = elements_of(fc.Sphere(0.5), 0.1), elements_of(fc.Capsule(0.5, 2.0), 0.1)
    assert len(ball.faces) == len(capsule.faces) == 1
    assert np.ptp(ball.vertices, axis=0).tolist() == [0.0, 0.0, 0.0]
    assert capsule.vertices[:, 2].tolist() == [-1.0, 1.0]
    assert ball.radii[0] == capsule.radii[0] == 0.5


def test_only_closed_meshes_have_an_inside():
    box = fc.Box([1, 1, 1]).mesh
    assert elements_of(box, 0.1).solid is box
    assert elements_of(fc.Mesh(box.vertices, box.faces[1:]), 0.1).solid is None
    assert elements_of(fc.Points([[0, 0, 0]], 1.0), 0.1).solid is None
    assert elements_of(fc.Mesh([], []), 0.1).solid is None
