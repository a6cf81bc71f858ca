"""Fields as bodies of a scene: as if each pair were asked alone, and never late for the shapes themselves."""

import pickle

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.scene.scene import Scene
from scene.scenes import CUBE, SHAPES, random_motion, random_things
from when_asked import WhenAsked

HERE = np.eye(3)
FIELDS = WhenAsked(lambda shape: fc.DistanceField.of(shape, 0.05))


def with_fields(seed):
    """Random bodies; and the same with a field in the place of some of them."""
    things = random_things(8, seed, meshes=True, size=1.5)
    fields = dict(things)
    for name in list(things)[:4]:
        shape = things[name].shape
        fields[name] = fc.Moving(FIELDS[shape], things[name].motion)
    return things, fields


@pytest.mark.parametrize(("seed", "min_separation"), [(0, 0.2), (1, 0.0), (2, 0.0)])
def test_contacts_are_those_of_all_pairs_and_never_late_for_the_shapes(seed, min_separation):
    things, fields = with_fields(seed)
    options = {"min_separation": min_separation, "tolerance": 1e-6}
    found, truth = Scene(fields).contacts(**options), Scene(things).contacts(**options)
    times, n_with_fields = dict(zip(found.names, found.time.tolist(), strict=True)), 0
    for names in truth.names:
        assert times[names] <= np.min(truth.between(*names).time_upper)
        n_with_fields += any(fields[name].kind is fc.DistanceField.kind for name in names)
    assert n_with_fields > 1
    for k, (a, b) in enumerate(found.names):
        if a != b:
            assert found.time[k] == fc.first_contact(fields[a], fields[b], **options).time
    first = Scene(fields).first_contact(**options)
    assert first.time == found.time[0] == Scene(fields).safe_step(**options)


def test_what_the_boxes_part_is_free_and_what_a_field_is_near_is_told_alike():
    ball = fc.Sphere(0.5)
    field = FIELDS[SHAPES[0]]
    scene = Scene(field=field, ball=ball.moving((HERE, [3, 0, 0]), velocity=[-4, 0, 0]))
    scene.add("far", ball.at((HERE, [9, 9, 9])))
    assert scene.pairs() == [("field", "ball")]
    first = scene.first_contact()
    assert (first.a, first.b) == ("field", "ball")
    assert 0.5 - 3 * 0.05 / 4 - 1e-6 <= first.time <= 0.5
    alone = fc.first_contact(field, scene["ball"], tolerance=float(np.ldexp(1.0, -20)))
    assert abs(first.time - alone.time) < 1e-5
    assert first.contact.normals[0, 0] > 0.95
    assert scene.clearance().status == fc.Status.CONTACT
    scene.remove("ball")
    assert not scene.first_contact()


def test_fields_come_go_move_and_travel():
    field = FIELDS[CUBE]
    scene = Scene(one=field, other=field.at((HERE, [3, 0, 0])), ball=fc.Sphere(0.2).at((HERE, [0, 0, 2])))
    assert not scene.first_contact()
    scene.move(["other", "ball"], (HERE, [[3, 0, 0], [0, 0, 2]]), velocity=[[-4, 0, 0], [0, 0, 0]])
    assert scene["other"].shape is field
    hit = scene.first_contact()
    assert (hit.a, hit.b) == ("one", "other")
    assert 0.5 - 6 * 0.05 / 4 <= hit.time <= 0.5
    again = pickle.loads(pickle.dumps(scene)).first_contact()
    assert (again.a, again.b, again.time) == (hit.a, hit.b, hit.time)
    scene.update(other=FIELDS[SHAPES[0]].at((HERE, [0.8, 0, 0])))
    assert scene.first_contact().time == 0.0
    up = np.array([0.0, 0.0, 2.0])
    cloth = CUBE.deforming(CUBE.vertices + up, CUBE.vertices - up)
    found = Scene(field=field, cloth=cloth).contacts()
    assert found.names == [("field", "cloth")]
    assert 0.25 - 0.05 <= found.time[0] <= 0.25
    assert found.between("field", "cloth").time == found.time[0]


def test_equal_fields_are_one_shape_and_have_one_hash():
    again = fc.DistanceField.of(CUBE, 0.05)
    assert again == FIELDS[CUBE]
    assert hash(again) == hash(FIELDS[CUBE])
    assert len({again, *(FIELDS[shape] for shape in (CUBE, *SHAPES))}) == 1 + len(SHAPES)


def test_motions_in_pieces_and_with_a_law():
    field, ball = FIELDS[SHAPES[1]], fc.Sphere(0.3)
    thrown = field.moving((HERE, [0, 0, 3]), velocity=[0, 0, 0], acceleration=[0, 0, -9])
    poses = np.tile(np.eye(4), (3, 1, 1))
    poses[:, 2, 3] = 3.0, 2.0, -1.0
    bent = field.along(poses, times=[0.0, 0.5, 1.0])
    for moving in (thrown, bent):
        hit = Scene(field=moving, ball=ball).first_contact()
        truth = fc.first_contact(fc.Moving(SHAPES[1], moving.motion), ball)
        assert truth.time - 0.1 <= hit.time <= truth.time_upper


def test_random_motions_of_one_field_are_those_of_pairs():
    rng = np.random.default_rng(7)
    things = {f"field {i}": random_motion(FIELDS[SHAPES[5]], rng, size=1.0) for i in range(4)}
    found = Scene(things).contacts(tolerance=1e-6)
    assert len(found.names) > 2
    for k, (a, b) in enumerate(found.names):
        assert found.time[k] == fc.first_contact(things[a], things[b], tolerance=1e-6).time
