"""Voxels and fields, against the shapes that the fields are of."""

import numpy as np
import pytest

import firstcontact as fc
from when_asked import WhenAsked

CELLS = {
    "block": np.ones((4, 4, 4), bool),
    "hollow": np.pad(np.zeros((2, 2, 2), bool), 1, constant_values=True),
}
BLOCKS = WhenAsked(lambda name: fc.Voxels(CELLS[name], 0.5, [-1, -1, -1]))
TRUE = {"ball": fc.Sphere(0.3), "large ball": fc.Sphere(4.0), "box": fc.Box([0.4, 0.4, 1.6])}
OF_TRUE = WhenAsked(
    lambda name: fc.DistanceField.of(TRUE[name], 0.2 if name == "large ball" else 0.05, margin=1.0)
)


@pytest.mark.parametrize("cells", CELLS)
@pytest.mark.parametrize("name", TRUE)
def test_a_field_is_met_as_the_shape_that_it_is_of(cells, name):
    rng, voxels, truth, field = np.random.default_rng(5), BLOCKS[cells], TRUE[name], OF_TRUE[name]
    starts, ways = rng.uniform(-1.5, 1.5, (30, 3)), rng.normal(size=(30, 3))
    starts[0], ways[0] = 0.0, [0.01, 0, 0]
    poses = np.tile(np.eye(4), (30, 1, 1))
    poses[:, :3, 3] = starts
    for pair, own in (((truth, voxels), (field, voxels)), ((voxels, truth), (voxels, field))):
        moved = [
            [thing if thing is voxels else thing.moving(poses, velocity=ways) for thing in both]
            for both in (pair, own)
        ]
        exact, found = (fc.first_contacts(*both) for both in moved)
        assert (found.time <= exact.time_upper).all()
        assert (found.time_upper >= exact.time).all()
        is_hit = found.time <= 1.0
        then = poses[is_hit].copy()
        then[:, :3, 3] += found.time[is_hit, np.newaxis] * ways[is_hit]
        assert (fc.distance(truth.at(then), voxels).distance <= 3 * field.tolerance + 1e-5).all()
        free = [fc.is_free(*both) for both in moved]
        assert not (free[1] & ~free[0]).any()
        placed = [[thing if thing is voxels else thing.at(poses) for thing in both] for both in (pair, own)]
        far, near = (fc.distance(*both).distance for both in placed)
        assert (near <= far + 1e-12).all()
        assert (near >= far - 3 * field.tolerance - far / 200).all()
        touch = [fc.intersects(*both) for both in placed]
        assert not (touch[0] & ~touch[1]).any()
    for k in (0, 1, 2):
        both = [
            [thing if thing is voxels else thing.moving(poses[k], velocity=ways[k]) for thing in pair]
            for pair in ((truth, voxels), (field, voxels))
        ]
        far, near = (fc.clearance(*pair) for pair in both)
        assert near.distance_lower <= far.distance
        assert near.distance >= far.distance_lower
        far, near = (fc.contact_intervals(*pair) for pair in both)
        for t in np.linspace(0, 1, 41):
            is_outer = [any(a <= t <= d for (a, _), (_, d) in spans) for spans in (far, near)]
            is_inner = [
                any(b < t < c for ((_, b), (c, _)), sure in zip(spans, spans.is_proven, strict=True) if sure)
                for spans in (far, near)
            ]
            assert is_outer[1] or not is_inner[0]
            assert is_outer[0] or not is_inner[1] or near.doubt.any()


def test_a_field_that_is_inside_is_in_contact_and_one_in_a_hole_is_not():
    ball = OF_TRUE["ball"]
    inside = fc.first_contact(BLOCKS["block"], ball)
    assert inside.status == fc.Status.CONTACT_AT_START
    assert inside.time_upper == 0.0
    assert fc.distance(ball, BLOCKS["block"]).distance == 0.0
    assert fc.contains(BLOCKS["block"], fc.distance(ball, BLOCKS["block"]).points_a)
    assert fc.clearance(ball, BLOCKS["block"]).status == fc.Status.CONTACT
    hollow = BLOCKS["hollow"]
    assert not fc.first_contact(hollow, ball)
    assert abs(fc.distance(hollow, ball).distance - 0.2) < 0.12
    assert fc.first_contact(hollow, OF_TRUE["large ball"]).status == fc.Status.CONTACT_AT_START
    assert fc.first_contact(fc.Compound([BLOCKS["block"]]), ball).time == 0.0
    assert fc.Scene(cells=BLOCKS["block"], ball=ball).first_contact().time == 0.0
    nothing = fc.Voxels(np.zeros((1, 1, 1), bool), 1)
    assert fc.distance(nothing, ball).distance == np.inf


def test_what_a_field_does_not_know_is_not_proven():
    thin = fc.DistanceField.of(fc.Box([0.3, 0.3, 0.02]), 0.05)
    found = fc.first_contact(BLOCKS["block"], thin)
    assert found.status == fc.Status.CONTACT_AT_START
    assert found.time_upper == np.inf
    assert fc.clearance(BLOCKS["block"], thin).status == fc.Status.UNDECIDED
    assert 0.0 < fc.clearance(BLOCKS["block"], thin).distance <= 0.1
    spans = fc.contact_intervals(BLOCKS["block"], thin)
    assert spans.touch.tolist() == spans.part.tolist() == [[0.0, 1.0]]
    assert not spans.is_proven.any()
