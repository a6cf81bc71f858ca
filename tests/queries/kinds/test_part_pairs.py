"""What is known of all pairs of parts at once is on the safe side; so answers are those of the parts."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.advancement.ask import USUAL
from firstcontact.queries.kinds.part_pairs import PartPairs
from firstcontact.shapes.compound import moving_parts


def crowd(seed, n=7):
    """Parts of all kinds, turned, spread out, and none at all."""
    rng = np.random.default_rng(seed)
    makers = (
        lambda: fc.ConvexHull(rng.normal(size=(9, 3)) * 0.4 + rng.normal(size=3)),
        lambda: fc.Sphere(rng.uniform(0.1, 0.5)),
        lambda: fc.Box(rng.uniform(0.1, 0.8, 3)).mesh,
        lambda: fc.Points(rng.normal(size=(4, 3)), rng.uniform(0, 0.2, 4)),
        lambda: fc.Mesh([], []),
    )
    poses = [(Rotation.random(random_state=rng), 1.5 * rng.normal(size=3)) for _ in range(n)]
    return fc.Compound([makers[k % len(makers)]().at(pose) for k, pose in enumerate(poses)])


def scattered(seed, n):
    """Two crowds that move, n times."""
    rng = np.random.default_rng(seed)
    starts = Rotation.random(n, random_state=rng).as_matrix(), 3.0 * rng.normal(size=(n, 3))
    speeds = 4.0 * rng.normal(size=(2, n, 3))
    a = crowd(seed).moving(starts, velocity=speeds[0], angular_velocity=speeds[1])
    return a, crowd(seed + 50).moving(np.eye(4), angular_velocity=[1, 2, 0])


def each(a, b):
    for i, one in enumerate(moving_parts(a)):
        for j, other in enumerate(moving_parts(b)):
            yield (i, j), one, other


@pytest.mark.parametrize("seed", range(4))
def test_bounds_are_bounds(seed):
    a, b = scattered(seed, 5)
    pairs = PartPairs(a, b)
    times, at = pairs.first_times(USUAL, 0.0), {pairs.numbers(p): p for p in range(len(pairs.ids))}
    still = [thing.shape.at(thing.pose(0.3)) for thing in (a, b)]
    there = PartPairs(*still)
    near, may, least = there.distances(), there.touching(), there.gaps
    best = fc.distance(*still).distance
    for numbers, one, other in each(a, b):
        if numbers not in at:
            assert 4 in numbers  # a mesh without faces
            continue
        p = at[numbers]
        found = fc.first_contacts(one, other)  # itself early by its tolerance
        assert (times[p] <= np.minimum(found.time_upper, found.time + 1e-6) + 1e-12).all()
        assert (pairs.gaps[p] <= fc.clearance(one, other).distance + 1e-12).all()
    for numbers, one, other in each(*still):
        if numbers in at:
            p, apart = at[numbers], fc.distance(one, other).distance
            assert (least[p] <= apart + 1e-12).all()
            assert ((near[p] <= apart) | (apart > best)).all()
            assert (may[p] | ~fc.intersects(one, other)).all()


@pytest.mark.parametrize("seed", range(4))
def test_answers_are_those_of_the_parts(seed):
    a, b = scattered(seed + 10, 6)
    hits = [fc.first_contacts(one, other) for _, one, other in each(a, b)]
    found = fc.first_contacts(a, b)
    assert found.time.tolist() == np.min([hit.time for hit in hits], axis=0).tolist()
    assert found.time_upper.tolist() == np.min([hit.time_upper for hit in hits], axis=0).tolist()
    still = [thing.shape.at(thing.pose(0.3)) for thing in (a, b)]
    apart = np.min([fc.distance(one, other).distance for _, one, other in each(*still)], axis=0)
    assert fc.distance(*still).distance == pytest.approx(apart, abs=1e-12)
    touches = np.any([fc.intersects(one, other) for _, one, other in each(*still)], axis=0)
    assert (fc.intersects(*still) == touches).all()
    if seed == 0:
        spans, times = fc.contact_intervals(a, b), np.linspace(0, 1, 20)
        for t in times:
            touching = fc.intersects(*(thing.shape.at(thing.pose(t)) for thing in (a, b)))
            for own, is_touching in zip(spans, touching, strict=True):
                assert any(x[0] <= t <= y[1] for x, y in own) or not is_touching


def test_depths_are_the_deepest():
    rng = np.random.default_rng(3)
    solids = [fc.Sphere(0.4), fc.Box([0.5, 0.6, 0.7]).mesh, fc.Capsule(0.2, 0.5)]
    one, other = (fc.Compound([s.at((np.eye(3), 0.4 * rng.normal(size=3))) for s in solids]) for _ in "ab")
    places = 0.5 * rng.normal(size=(8, 3))
    a, b = one.at((np.eye(3), places)), other.at(np.eye(4))
    found, own = fc.penetration(a, b), [fc.penetration(x, y) for _, x, y in each(a, b)]
    assert found.depth == pytest.approx(np.max([deep.depth for deep in own], axis=0), abs=1e-9)
    assert (found.is_overlapping == np.any([deep.is_overlapping for deep in own], axis=0)).all()
    assert found.is_overlapping.any()


def test_few_of_many_are_asked():
    rng = np.random.default_rng(1)
    parts = [fc.ConvexHull(c + 0.1 * rng.normal(size=(12, 3))) for c in rng.normal(size=(30, 3))]
    a, b = (fc.Compound(parts).at((np.eye(3), [x, 0, 0])) for x in (0, 7))
    pairs, asked = PartPairs(a, b), []
    for p, _ in pairs.in_order(pairs.distances(), lambda own: own < min(asked, default=np.inf)):
        asked.append(pairs.asked("distance", p, np.arange(1), USUAL).distance)
    assert 0 < len(asked) <= 2
    assert np.isfinite(pairs.distances()).sum() < 450
    nothing = PartPairs(fc.Compound([]).at(np.eye(4)), b)
    assert nothing.gaps.shape == (0, 1)
    assert nothing.distances().shape == nothing.depths().shape == (0, 1)
