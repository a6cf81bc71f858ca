"""First contacts of convex shapes, and with meshes, by intervals: the oracle, the default, threads, laws."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.rigid.interval import interval_convexes as module
from firstcontact.status import Status
from properties.convex_claims import ask, complaints
from properties.convex_motions import MOTIONS, generate_moves
from samples import sample

HERE = np.eye(3)
BY_INTERVALS = {"method": "interval"}
HULL = fc.ConvexHull(np.random.default_rng(1).normal(size=(40, 3)) * 0.4)
SHAPES = {
    "sphere": fc.Sphere(0.5),
    "box": fc.Box([1, 0.5, 0.7]),
    "capsule": fc.Capsule(0.2, 1.0),
    "hull": HULL,
    "cylinder": fc.Cylinder(0.3, 0.8),
    "mesh": fc.Sphere(0.6).mesh,
}
PAIRS = [("sphere", "box"), ("capsule", "hull"), ("cylinder", "cylinder"), ("box", "mesh"), ("mesh", "hull")]


def thrown(shape, seed, n):
    rng, side = np.random.default_rng(seed), 1.5 * (-1) ** seed
    turns = Rotation.random(n, random_state=seed).as_matrix()
    return shape.moving(
        (turns, rng.normal([side, 0, 0], 0.5, (n, 3))),
        velocity=rng.normal([-side, 0, 0], 0.7, (n, 3)),
        angular_velocity=rng.normal(0.0, 3.0, (n, 3)),
    )


def test_the_claims_hold():
    questions = [
        ask(generate_moves(family, 40 + k), (1e-6, 1e-3)[k % 2], (0.0, 0.05)[k % 2], **BY_INTERVALS)
        for family in list(MOTIONS)[:: sample(5, of=1)]
        for k in range(sample(1, of=6))
    ]
    assert complaints(questions) == []


def test_a_limit_of_intervals_gives_a_time_that_is_safe():
    questions = [
        ask(generate_moves(family, 300), 1e-6, max_iterations=3, **BY_INTERVALS)
        for family in ("spin", "both", "translation")
    ]
    assert complaints(questions, but=["out of iterations"]) == []
    assert any(np.any(question.found.status == Status.MAX_ITERATIONS) for question in questions)


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_as_the_default(one, other):
    n = sample(40, of=400)
    a, b = thrown(SHAPES[one], 1, n), thrown(SHAPES[other], 2, n)
    found, usual = fc.first_contacts(a, b, **BY_INTERVALS), fc.first_contacts(a, b)
    assert ((found.time <= usual.time_upper) & (usual.time <= found.time_upper)).all()
    hits = np.isfinite(found.time) & np.isfinite(usual.time)
    assert (np.isfinite(found.time) == np.isfinite(usual.time)).all()
    assert 0.1 * n < hits.sum() < n
    assert np.abs(found.time[hits] - usual.time[hits]).max() < 1e-5
    # Points at the same places, but for those that the tolerance leaves open: normals tell.
    alike = np.einsum("ij,ij->i", found.normals[hits], usual.normals[hits])
    assert np.median(alike) > 0.999
    assert (found.features[:, 0] == usual.features[:, 0]).all()


@pytest.mark.parametrize(
    ("a", "b", "time"),
    [
        (fc.Sphere(1).moving((HERE, [-4, 0, 0]), velocity=[4, 0, 0]), fc.Sphere(1), 0.5),
        (fc.Sphere(1).moving((HERE, [-4, 1, 0]), velocity=[4, 0, 0]), fc.Sphere(1), 1 - np.sqrt(3) / 4 - 0.0),
        (fc.Box([1, 1, 1]).moving((HERE, [-3, 0, 0]), velocity=[4, 0, 0]), fc.Box([1, 1, 1]), 0.5),
        (fc.Box([1, 1, 1]).moving((HERE, [-3, 1.01, 0]), velocity=[4, 0, 0]), fc.Box([1, 1, 1]), np.inf),
        (fc.Box([1, 1, 1]).at((HERE, [1, 0, 0])), fc.Box([1, 1, 1]), 0.0),
        (fc.Sphere(0.1), fc.Box([1, 1, 1]), 0.0),  # inside
        (fc.Sphere(0.1), fc.Box([1, 1, 1]).mesh, np.inf),  # a surface is none
        (fc.Box([1, 1, 1]), fc.Sphere(0.1).mesh, 0.0),
        (fc.Sphere(1).moving((HERE, [0, 0, 3]), velocity=[0, 0, -4]), fc.HalfSpace([0, 0, 1], 0), 0.5),
        (fc.Capsule(0.5, 2).moving((HERE, [2, 0, 0]), angular_velocity=[0, 0, 500]), fc.Sphere(0.5), np.inf),
        (fc.Sphere(0.5).moving((HERE, [0, 0, 3]), velocity=[0, 0, -4]), fc.Mesh([], []), np.inf),
    ],
)
def test_known_times(a, b, time):
    found = fc.first_contact(a, b, **BY_INTERVALS)
    assert found.time <= time + 1e-12
    assert found.time == pytest.approx(time, abs=2e-6)
    assert fc.is_free(a, b, **BY_INTERVALS) == (time == np.inf)
    assert fc.safe_step(a, b, **BY_INTERVALS) == min(found.time, 1.0)


def test_the_same_bytes_from_any_number_of_threads(monkeypatch):
    a, b = thrown(SHAPES["box"], 1, 60), thrown(HULL, 2, 60)

    def found():
        one = fc.first_contacts(a, b, **BY_INTERVALS)
        return one.time.tobytes(), one.points.tobytes(), one.stats.iterations.tobytes()

    monkeypatch.setattr(module, "WORTH_A_THREAD", 10**9)
    serial = found()
    monkeypatch.setattr(module, "WORTH_A_THREAD", 1)
    assert found() == serial


def test_motions_that_are_not_made_of_pieces_and_separations():
    meets, cube = 0.5 * (np.sqrt(3) - 1), fc.Box([1, 1, 1])
    for law in (
        cube.moving((HERE, [-2, 0, 0]), velocity=[2, 0, 0], acceleration=[4, 0, 0]),
        cube.along(fc.motion(lambda t: [-2 + 2 * t + 2 * t * t, 0, 0])),
    ):
        for other in (cube.at((HERE, [0, 0.1, 0.2])), cube.mesh.at((HERE, [0, 0.1, 0.2]))):
            found = fc.first_contact(law, other, **BY_INTERVALS)
            assert meets - 1e-6 < found.time <= meets <= found.time_upper < meets + 1e-5
    falling = cube.moving((HERE, [0, 0, 3]), velocity=[0, 0, -4])
    for other in (cube, cube.mesh):
        found = fc.first_contact(falling, other, min_separation=1.0, **BY_INTERVALS)
        assert found.time == pytest.approx(0.25, abs=1e-6)
    assert fc.first_contact(fc.Sphere(0.1), cube.mesh, solid=True, **BY_INTERVALS).time == 0.0


def test_what_it_does_not_take():
    with pytest.raises(ValueError, match=r"method must be .* or 'c2a' or 'interval'; received 'ca'"):
        fc.first_contact(fc.Sphere(1), fc.Sphere(1), method="ca")
    both = fc.Compound([fc.Sphere(1).at(np.eye(4))])
    with pytest.raises(ValueError, match="method has no meaning for compounds"):
        fc.first_contact(both, fc.Sphere(1), **BY_INTERVALS)
