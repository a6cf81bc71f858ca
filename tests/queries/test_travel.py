"""Answers are plain data: they are copied, compared, changed in parts, and sent elsewhere."""

import copy
import multiprocessing
import pickle
from dataclasses import FrozenInstanceError, fields, replace

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.answers.answer import Answer
from queries.every_answer import ASK, BALL, BOX, CUBE, HERE, OBSTACLES, THERE, path, paths, scene

PROTOCOLS = range(2, pickle.HIGHEST_PROTOCOL + 1)


@pytest.fixture(scope="module")
def answers():
    return {name: ask() for name, ask in ASK.items()}


def sent(thing, protocol=pickle.HIGHEST_PROTOCOL):
    return pickle.loads(pickle.dumps(thing, protocol))


def assert_same(one, other, path=""):
    """Compare two values to the last bit, field by field, without their own `==`."""
    assert type(one) is type(other), path
    if isinstance(one, np.ndarray):
        assert one.dtype == other.dtype, path
        assert one.shape == other.shape, path
        assert one.tobytes() == other.tobytes(), path
        assert one.flags.writeable == other.flags.writeable, path
    elif isinstance(one, list | tuple):
        assert len(one) == len(other), path
        for k, (item, twin) in enumerate(zip(one, other, strict=True)):
            assert_same(item, twin, f"{path}[{k}]")
    elif hasattr(one, "__dataclass_fields__"):
        for item in fields(one):
            if item.name not in ("_about", "things"):
                assert_same(getattr(one, item.name), getattr(other, item.name), f"{path}.{item.name}")
    else:
        assert repr(one) == repr(other), path


@pytest.mark.parametrize("name", ASK)
def test_every_class_of_answers_is_here_by_its_name(name, answers):
    assert type(answers[name]).__name__.rstrip("s") in name


def test_none_is_missing():
    kinds, waiting = set(), [Answer]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        kinds.add(kind.__name__)
    assert kinds - {"Answer"} <= ASK.keys()


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("name", ASK)
def test_what_is_sent_arrives(name, protocol, answers):
    assert_same(sent(answers[name], protocol), answers[name])


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, replace])
@pytest.mark.parametrize("name", ASK)
def test_a_copy_says_the_same_of_the_same_things(name, duplicate, answers):
    twin = duplicate(answers[name])
    assert twin is not answers[name]
    assert_same(twin, answers[name])
    assert twin == answers[name]
    if isinstance(answers[name], Answer):
        things = answers[name].things
        assert twin.things.keys() == things.keys()
        assert all(twin.things[key].shape is things[key].shape for key in things)


@pytest.mark.parametrize("name", ASK)
def test_a_deep_copy_shares_no_array(name, answers):
    twin = copy.deepcopy(answers[name])
    for item in fields(answers[name]):
        value, other = getattr(answers[name], item.name), getattr(twin, item.name)
        if isinstance(value, np.ndarray) and value.size:
            assert not np.shares_memory(value, other)


@pytest.mark.parametrize("name", ASK)
def test_the_same_question_has_an_equal_answer(name, answers):
    again = ASK[name]()
    assert again == answers[name]
    assert (again != answers[name]) is False
    assert sent(again) == answers[name]
    assert again != "something else"
    with pytest.raises(TypeError, match="unhashable"):
        hash(again)


@pytest.mark.parametrize("name", ASK)
def test_what_says_something_else_is_not_equal(name, answers):
    answer, seen = answers[name], 0
    for item in fields(answer):
        value = getattr(answer, item.name)
        if not item.compare or value is None or item.name in answer._not_compared:
            continue
        if isinstance(value, np.ndarray) and value.size == 0:
            other = np.zeros((1, *value.shape[1:]), value.dtype)
        elif isinstance(value, np.ndarray):
            other = value.copy()
            other.flat[0] = 1 if other.flat[0] != 1 else 0
        elif isinstance(value, tuple | list):
            other = [*value, None] if isinstance(value, list) else (*value, None)
        elif isinstance(value, str):
            other = value + "'"
        elif isinstance(value, Answer):
            first = next(item.name for item in fields(value) if item.compare)
            other = replace(value, **{first: np.full(1, -1.0)})
        else:
            other = -1.0
        assert replace(answer, **{item.name: other}) != answer, item.name
        seen += 1
    assert seen > 0


def test_neither_counters_nor_things_matter_to_equality():
    one = fc.distance(BALL.at(THERE), BOX)
    other = replace(one, stats=None).with_things({"a": BOX.at(HERE)})
    assert one == other
    assert one != fc.penetration(BALL.at(THERE), BOX)


def test_arrays_of_other_types_are_told_apart():
    one = fc.distance(CUBE.at(THERE), CUBE)
    assert replace(one, faces=one.faces.astype(np.int64)) != one
    assert replace(one, faces=one.faces.tolist()) != one
    assert replace(one, faces=one.faces[:1]) != one


@pytest.mark.parametrize("name", ASK)
def test_none_can_be_changed(name, answers):
    with pytest.raises(FrozenInstanceError):
        answers[name].stats = None


def about_something(answers):
    return {n: a for n, a in answers.items() if isinstance(a, Answer) and a.things}


def test_things_are_left_behind(answers):
    for name, answer in about_something(answers).items():
        data = pickle.dumps(answer)
        assert b"firstcontact.shapes" not in data, name
        assert b"Moving" not in data, name
        arrived = pickle.loads(data)
        sentence = f"what this {type(answer).__name__} is about was left behind when it was sent"
        with pytest.raises(ValueError, match=sentence):
            _ = arrived.things
        with pytest.raises(ValueError, match=sentence):  # and again, when it has been sent on
            _ = sent(arrived).things
        with pytest.raises(ValueError, match=sentence):
            fc.show(arrived)
        with pytest.raises(ValueError, match=sentence):
            _ = copy.deepcopy(arrived).things


def test_nothing_is_nothing_elsewhere_too(answers):
    assert sent(answers["no SceneContact"]).things == {}


def test_things_can_be_sent_too(answers):
    for answer in about_something(answers).values():
        arrived, things = sent((answer, answer.things))
        whole = arrived.with_things(things)
        assert whole == answer
        assert whole.things == things
        assert list(whole.things) == list(answer.things)
        with pytest.raises(ValueError, match="left behind"):  # another answer, and this one as it was
            _ = arrived.things


def test_things_must_be_things():
    answer = sent(fc.distance(BALL.at(THERE), BOX))
    with pytest.raises(TypeError, match="things must be moving things by their names; received list"):
        answer.with_things([BALL, BOX])
    with pytest.raises(TypeError, match="received Sphere by the name 'a'"):
        answer.with_things({"a": BALL})
    with pytest.raises(TypeError, match="received Moving by the name 1"):
        answer.with_things({1: BALL.at(HERE)})


def test_an_answer_about_large_meshes_is_small():
    n = 170
    x, y = np.meshgrid(np.linspace(0, 1, n), np.linspace(0, 1, n), indexing="ij")
    hills = fc.HeightField(0.05 * np.sin(20 * x) * np.sin(20 * y), 1 / n)
    mesh = fc.Mesh(hills.vertices, hills.faces)
    falling = fc.first_contact(mesh.moving((np.eye(3), [0.05, 0.03, 1]), velocity=[0, 0, -2]), hills)
    assert falling
    assert len(pickle.dumps(mesh)) > 1_000_000
    assert len(pickle.dumps(falling)) < 4_000
    assert len(pickle.dumps((falling, falling.things))) > 1_000_000


def test_what_a_robot_touches_is_found_before_it_is_sent():
    one, many = fc.first_contact(path(), OBSTACLES), fc.first_contacts(paths(), OBSTACLES)
    arrived, all_arrived = sent((one, many))
    assert np.isfinite(arrived.time_upper)
    assert len(arrived.points) > 0
    for k in range(3):
        assert all_arrived[k] == many[k]
        assert all_arrived[k].stats == many[k].stats
    assert all_arrived[0] == arrived
    assert all_arrived[-1] == many[2]


def test_what_takes_long_of_many_travels_where_it_was_asked_for():
    many = fc.first_contacts(paths(), OBSTACLES)
    arrived, things = sent((many, many.things))
    assert "time_upper" not in many.__dict__  # nobody waits for it
    assert arrived == many
    assert arrived[0] == many[0]
    with pytest.raises(ValueError, match="left behind"):
        _ = arrived.time_upper
    assert arrived.with_things(things).time_upper.tolist() == many.time_upper.tolist()
    assert sent(many).time_upper.tolist() == many.time_upper.tolist()
    assert sent(many)[0].time_upper == many[0].time_upper


def test_one_of_many_knows_its_own_path():
    many = fc.first_contacts(paths(), OBSTACLES)
    things = many[0].things
    assert list(things) == ["arm", "ball", "cube"]
    assert things["arm"].motion.configuration(1.0).tolist() == [3.0, 0.0]
    assert fc.first_contact(things["arm"], OBSTACLES) == many[0]


def test_the_certificate_of_what_was_sent():
    many = fc.first_contacts(paths(), OBSTACLES)
    arrived, things = sent((many, many.things))
    with pytest.raises(ValueError, match="this RobotContact is about was left behind"):
        _ = arrived[1].certificate
    whole = arrived.with_things(things)
    for k in (0, 1):
        assert whole[k].certificate == many[k].certificate
        assert whole[k].certificate.verify()
    one = sent(fc.first_contact(path(), OBSTACLES)).with_things(many[0].things)
    assert one.certificate == many[0].certificate


def test_a_certificate_knows_what_it_is_about_and_holds_elsewhere():
    proof = fc.first_contact(path(), OBSTACLES).certificate
    arrived = sent(proof)
    assert arrived.verify()
    assert not arrived.pairs.flags.writeable
    assert not arrived.intervals.gaps.flags.writeable
    again = fc.first_contact(arrived.things.robot, arrived.things.obstacles).certificate
    assert again == proof


def test_pairs_of_a_scene_can_be_asked_about_elsewhere():
    contacts = scene().contacts()
    arrived, things = sent((contacts, contacts.things))
    with pytest.raises(ValueError, match="left behind"):
        arrived.between("box", "ball")
    whole = arrived.with_things(things)
    for a, b in contacts.names:
        assert whole.between(a, b) == whole.between(b, a) == contacts.between(a, b)
    with pytest.raises(KeyError, match="no body is named 'bal'; did you mean 'ball'"):
        whole.between("bal", "box")


def test_the_contact_of_a_scene_knows_its_things_again():
    first = scene().first_contact()
    arrived, things = sent((first, first.things))
    whole = arrived.with_things(things)
    assert whole.contact.things == {"a": things[first.a], "b": things[first.b]}
    with pytest.raises(KeyError, match="no body is named"):
        arrived.with_things({"other": BALL.at(HERE)})


def test_an_answer_about_a_scene_does_not_follow_it():
    world = scene()
    contacts = world.contacts()
    before = contacts.between("box", "ball")
    world.update(ball=BALL.at(HERE))
    world.remove("cube")
    world.move(["ball"], THERE)
    assert contacts.between("box", "ball") == before
    assert list(contacts.things) == ["box", "ball", "cube", "cloth"]
    np.testing.assert_array_equal(contacts.things["ball"].pose(0.0), THERE)
    np.testing.assert_array_equal(contacts.things["ball"].pose(1.0), HERE)


def test_an_answer_about_a_large_scene_is_small():
    n = 2000
    world = fc.Scene({f"ball {i}": BALL.at((np.eye(3), [2.0 * i, 0, 0])) for i in range(n)})
    world.update({"ball 1": BALL.at((np.eye(3), [0.25, 0, 0]))})
    contacts = world.contacts()
    assert len(contacts) == 1
    assert len(pickle.dumps(contacts)) < 4_000
    assert len(contacts.things) == n


def test_through_a_process_that_is_started_anew():
    """What is about plain arrays needs no compiler there: this is about what travels."""
    answers = fc.first_contacts(paths(), OBSTACLES), scene().contacts(), fc.distance(BALL.at(THERE), BOX)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        back = pool.map(_looked_at, answers)
    assert [answer for answer, _ in back] == list(answers)
    assert [word for _, word in back] == [repr(answer) for answer in answers]


def _looked_at(answer):
    return answer, repr(answer)
