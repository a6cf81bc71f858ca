"""A single convex shape and a field are answered in short: the same bits as at length."""

import pickle

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.advancement.ask import Ask
from firstcontact.queries.look_up import in_short
from poses import pose, random_poses
from queries.in_both_ways import same
from queries.in_short.test_convexes import AWAY, HERE, MESHES, SOLIDS
from samples import sample
from when_asked import WhenAsked

MADE_OF = {
    "box": (SOLIDS["cube"], 0.05, None),
    "ring, no margin": (MESHES["ring"], 0.1, 0.0),
    "sheet": (MESHES["sheet"], 0.1, None),
}
FIELDS = WhenAsked(lambda name: fc.DistanceField.of(*MADE_OF[name][:2], margin=MADE_OF[name][2]))
SHAPES = SOLIDS | {"ellipsoid": fc.Ellipsoid([0.4, 0.7, 1.1]), "dot": fc.Sphere(1e-9)}


@pytest.mark.parametrize("name", MADE_OF)
def test_a_shape_and_a_field_at_rest(name):
    field, poses = FIELDS[name], random_poses(sample(6, of=100), seed=11)
    poses[::3, :3, 3] *= 0.3  # some touch
    poses[1::3, :3, 3] *= 20.0
    for here, there in zip(poses, np.roll(poses, 1, axis=0), strict=True):
        for shape in SHAPES.values():
            for a, b in ((shape.at(here), field.at(there)), (field, shape.at(here)), (shape, field)):
                for verb in ("distance", "intersects"):
                    assert same(verb, a, b) is not None


@pytest.mark.parametrize("name", MADE_OF)
def test_a_shape_that_moves_and_a_field(name):
    field, poses = FIELDS[name], random_poses(sample(5, of=60), seed=12)
    asks = Ask.checked(), Ask.checked(tolerance=0.01, min_separation=0.3), Ask.checked(max_iterations=2)
    for k in range(len(poses) - 2):
        start, middle, end = 3.0 * poses[k, :3, 3], poses[k + 1], poses[k + 2]
        here = pose(start, (0.1 * k, 0.2, 0.3))
        for shape in (SHAPES["cube"], SHAPES["hull"], SHAPES["capsule"]):
            once, twice = shape.moving(here, end), shape.along(np.stack([here, middle, end]))
            other = field.moving(HERE, velocity=np.array([0.1, 0.0, 0.2]))
            for ask, (a, b) in zip(asks, ((once, field), (other, once), (twice, other)), strict=True):
                for verb in ("first_contact", "safe_step", "is_free"):
                    assert same(verb, a, b, ask) is not None


def test_what_is_left_to_who_is_asked_at_length():
    ball = SHAPES["ball"]
    for verb in ("distance", "intersects"):
        assert in_short(verb, ball.moving(HERE, AWAY), FIELDS["box"], Ask()) is None
        assert in_short(verb, ball.at(np.stack([HERE, AWAY])), FIELDS["box"], Ask()) is None
        with pytest.raises(ValueError, match=r"is for one instant, and a moves"):
            getattr(fc, verb)(ball.moving(HERE, AWAY), FIELDS["box"])
        with pytest.raises(ValueError, match=r"solid has no meaning for fields"):
            getattr(fc, verb)(ball, FIELDS["box"], solid=True)
    with pytest.raises(ValueError, match=r"solid has no meaning for fields"):
        fc.first_contact(ball.moving(AWAY, HERE), FIELDS["box"], solid=True)
    thrown = ball.moving(AWAY, velocity=[-5, 0, 0], acceleration=[0, 0, -1])
    assert fc.first_contact(thrown, FIELDS["box"])


def test_answers_are_plain_data():
    hit = fc.first_contact(SHAPES["ball"].moving(AWAY, HERE), FIELDS["box"])
    assert pickle.loads(pickle.dumps(hit)) == hit
    assert hit.time <= hit.time_upper <= 1.0
    assert list(hit.things) == ["a", "b"]
    near = fc.distance(FIELDS["box"], SHAPES["ball"].at(AWAY))
    assert pickle.loads(pickle.dumps(near)) == near
