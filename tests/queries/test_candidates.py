"""Pairs that are listed once for the queries of a step, against the same queries asked anew."""

import pickle
from dataclasses import fields

import numba
import numpy as np
import pytest

import firstcontact as fc
from firstcontact.queries import listed_pairs
from oracles.exact_distance import exact_distance_squared, points_at
from samples import sample

FLOOR = fc.Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
FALLING = fc.Box([1, 1, 1]).mesh.moving(np.eye(4), velocity=[0, 0, -1])
UP = np.array([0.0, 0.0, 0.4])
LEAF = fc.Mesh([[0, 0, 1], [1, 0, 2], [0, 1, 2]], [[0, 1, 2]])


def sheet(n):
    """A flat square of n by n points."""
    u, v = np.meshgrid(np.linspace(0, 1, n), np.linspace(0, 1, n), indexing="ij")
    i = np.arange(n * n).reshape(n, n)
    a, b, c, d = (part.ravel() for part in (i[:-1, :-1], i[1:, :-1], i[1:, 1:], i[:-1, 1:]))
    faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    return np.stack([u, v, np.zeros_like(u)], axis=-1).reshape(-1, 3), faces


def moved(rng, places, most):
    """Places that are no farther than that away."""
    ways = rng.normal(size=places.shape)
    ways *= most * rng.random((len(places), 1)) / np.linalg.norm(ways, axis=1, keepdims=True)
    return places + ways


def crumpled(seed, n=6, size=0.08):
    """A sheet that is not flat."""
    places, faces = sheet(n)
    return fc.Mesh(places + size * np.random.default_rng(seed).normal(size=places.shape), faces)


def assert_same_bytes(one, other):
    """Are all arrays of two answers the same?"""
    assert one == other
    for item in fields(one):
        value = getattr(one, item.name)
        if isinstance(value, np.ndarray):
            assert value.tobytes() == getattr(other, item.name).tobytes(), item.name


@pytest.mark.parametrize("separation", [0.0, 0.02])
@pytest.mark.parametrize("n_things", [1, 2])
def test_steps_are_those_of_fresh_searches(n_things, separation):
    rng = np.random.default_rng(7)
    n_touching = 0
    for seed in range(sample(8, 400)):
        meshes = [crumpled(10 * seed + k) for k in range(n_things)]
        if n_things == 2:
            meshes[1] = fc.Mesh(meshes[1].vertices + 0.4 * UP, meshes[1].faces)
        listed = fc.candidates(*meshes, inflate=0.2, min_separation=separation)
        for scale in (0.002, 0.1, 0.2):
            ends = [moved(rng, mesh.vertices, scale) for mesh in meshes]
            starts = [moved(rng, mesh.vertices, 0.5 * scale) for mesh in meshes]
            for at in (starts, None):
                begins = [mesh.vertices for mesh in meshes] if at is None else at
                things = [mesh.deforming(v0, v1) for mesh, v0, v1 in zip(meshes, begins, ends, strict=True)]
                v1, start = (ends, at) if n_things == 2 else (ends[0], at and at[0])
                fresh = fc.contacts(*things, min_separation=separation)
                assert_same_bytes(listed.contacts(v1, start), fresh)
                first = fc.first_contact(*things, min_separation=separation)
                assert_same_bytes(listed.first_contact(v1, start), first)
                assert listed.safe_step(v1, start) == fc.safe_step(*things, min_separation=separation)
                n_touching += len(fresh)
    assert n_touching > 100


@pytest.mark.parametrize("more", [{}, {"only_closing": True}, {"ignore_near": 1}])
@pytest.mark.parametrize(("thickness", "separation"), [(0.0, 0.0), (0.0, 0.02), (0.01, 0.0)])
def test_many_pairs_and_a_search_of_all_say_the_same(monkeypatch, thickness, separation, more):
    rng, n_touching = np.random.default_rng(8), 0
    for seed in range(sample(3, 200)):
        rough = crumpled(seed)
        mesh = fc.Mesh(rough.vertices, rough.faces, thickness=thickness)
        listed = fc.candidates(mesh, inflate=0.2, min_separation=separation, **more)
        for scale in (0.02, 0.2):
            start, end = moved(rng, mesh.vertices, 0.3 * scale), moved(rng, mesh.vertices, scale)
            answers = []
            for pairs in (0, 10**9):
                monkeypatch.setattr(listed_pairs, "PAIRS_A_FACE", pairs)
                asked = listed.contacts(end, start), listed.first_contact(end, start)
                answers.append((*asked, listed.safe_step(end, start)))
            for one, other in zip(answers[0][:2], answers[1][:2], strict=True):
                assert_same_bytes(one, other)
            assert answers[0][2] == answers[1][2]
            n_touching += len(answers[0][0])
    assert n_touching > 0 or "ignore_near" in more


def test_no_pair_within_reach_is_missing():
    rng = np.random.default_rng(3)
    mesh = crumpled(1, n=4)
    n_near = 0
    for _ in range(sample(6, 200)):
        inflate, separation = rng.choice([0.05, 0.15]), rng.choice([0.0, 0.1])
        listed = fc.candidates(mesh, inflate=inflate, min_separation=separation)
        v = moved(rng, mesh.vertices, 0.5 * inflate)
        within = inflate + separation
        near = listed.distances(v, within=within)
        found = dict(zip(keys_of(near), near.distance_squared.tolist(), strict=True))
        truth = {key: float(exact) for key, exact in all_distances(mesh, v).items() if exact <= within**2}
        assert truth.keys() <= found.keys()
        for key, exact in truth.items():
            assert found[key] == pytest.approx(exact, rel=1e-9)
        assert all(found[key] == pytest.approx(within**2, rel=1e-9) for key in found.keys() - truth.keys())
        n_near += len(truth)
    assert n_near > 100


@pytest.mark.parametrize(("thickness", "separation"), [(0.0, 0.5), (0.3, 0.0), (0.15, 0.5)])
def test_pairs_nearer_than_their_separation_are_listed_by_their_distances(thickness, separation):
    low, high = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.array([[0, 0, 0.2], [1, 0, 0.2], [0, 1, 0.2]])
    thick = fc.Mesh(high, [[0, 1, 2]], thickness)
    listed = fc.candidates(fc.Mesh(low, [[0, 1, 2]]), thick, inflate=0.3, min_separation=separation)
    assert [len(listed.distances(within=within)) for within in (0.19, 0.21, 0.4)] == [0, 15, 15]
    assert len(listed.distances([None, high - [0, 0, 0.1]], within=0.11)) == 15


def keys_of(near):
    return list(zip(near.kind.tolist(), near.ids_a.tolist(), near.ids_b.tolist(), strict=True))


def all_distances(mesh, v):
    """Squared distances of all pairs of features that share no vertex, as fractions."""
    places, found = points_at(v, v, 0), {}
    for i in range(mesh.n_vertices):
        for f, face in enumerate(mesh.faces.tolist()):
            if i not in face:
                found[0, i, f] = exact_distance_squared("vf", [places[i], *(places[k] for k in face)])
    for d, first in enumerate(mesh.edges.tolist()):
        for e, second in enumerate(mesh.edges.tolist()[d + 1 :], d + 1):
            if not set(first) & set(second):
                found[1, d, e] = exact_distance_squared("ee", [places[k] for k in (*first, *second)])
    return found


def test_distances_of_needles_and_parallels_are_exact_to_rounding():
    rng = np.random.default_rng(5)
    for case in range(sample(40, 2000)):
        a, b = rng.normal(size=(3, 3)), rng.normal(size=(3, 3)) * rng.choice([1.0, 1e-3]) + rng.normal(size=3)
        tiny = 10.0 ** -rng.integers(1, 17)
        if case % 5 == 0:  # a needle
            a[2] = a[0] + rng.random() * (a[1] - a[0]) + tiny * rng.normal(size=3)
        elif case % 5 == 1:  # almost parallel
            b[1] = b[0] + rng.normal() * (a[1] - a[0]) + tiny * rng.normal(size=3)
        elif case % 5 == 2:  # no longer than that
            a[1] = a[0] + tiny * rng.normal(size=3)
        elif case % 5 == 3:  # on a grid: exactly parallel, exactly flat, touching
            a, b = np.round(2 * a) / 2, np.round(2 * b) / 2
        else:  # one before the other
            b = a + tiny * UP
        near = fc.candidates(fc.Mesh(a, [[0, 1, 2]]), fc.Mesh(b, [[0, 1, 2]]), inflate=30).distances(
            within=50, gradient=True
        )
        assert len(near) == 15
        assert np.isfinite(near.gradient).all()
        for kind, ids, squared in zip(near.kind, near.vertex_ids, near.distance_squared, strict=True):
            first, second = (b, a) if kind == fc.ContactKind.FACE_VERTEX else (a, b)
            split = 2 if kind == fc.ContactKind.EDGE_EDGE else 1
            points = np.concatenate([first[ids[:split]], second[ids[split:]]])
            exact = exact_distance_squared("ee" if split == 2 else "vf", points_at(points, points, 0))
            spread = np.abs(points - points[3]).sum(axis=1).max()
            assert np.sqrt(squared) == pytest.approx(float(exact) ** 0.5, rel=1e-9, abs=2.0**-46 * spread)


def test_gradients_are_those_of_finite_differences():
    mesh = crumpled(2, n=4)
    listed = fc.candidates(mesh, inflate=0.1, min_separation=0.3)
    v, within = mesh.vertices, 0.4
    near = listed.distances(v, within=within, gradient=True)
    known = {key: row for row, key in enumerate(keys_of(near))}
    rng, h, n_tried = np.random.default_rng(0), 1e-6, 0
    for _ in range(10):
        way = rng.normal(size=v.shape) / np.sqrt(v.size)
        above, below = (listed.distances(v + sign * h * way, within=within) for sign in (1, -1))
        below_of = dict(zip(keys_of(below), below.distance_squared.tolist(), strict=True))
        for row, key in enumerate(keys_of(above)):
            if key in known and key in below_of:
                slope = (above.distance_squared[row] - below_of[key]) / (2 * h)
                expected = np.sum(near.gradient[known[key]] * way[near.vertex_ids[known[key]]])
                assert slope == pytest.approx(expected, abs=1e-5)
                n_tried += 1
    assert n_tried > 1000
    assert (near.gradient[near.weights == 0.0] == 0.0).all()


def test_where_closest_points_are_many_the_distance_grows_by_no_more_than_the_gradient_says():
    first = fc.Mesh([[0, 0, 0], [2, 0, 0], [1, -1, 0]], [[0, 1, 2]])
    second = fc.Mesh([[0.5, 0.5, 0], [1.5, 0.5, 0], [1, 2, 0]], [[0, 1, 2]])
    listed = fc.candidates(first, second, inflate=1.0)
    near = listed.distances(within=0.5, gradient=True)
    row = keys_of(near).index((fc.ContactKind.EDGE_EDGE, 0, 0))
    assert near.distance_squared[row] == 0.25
    for seed in range(20):
        ways = 1e-6 * np.random.default_rng(seed).normal(size=(2, 3, 3))
        places = [first.vertices + ways[0], second.vertices + ways[1]]
        after = listed.distances(places, within=0.6)
        grown = after.distance_squared[keys_of(after).index((fc.ContactKind.EDGE_EDGE, 0, 0))] - 0.25
        ids = near.vertex_ids[row]
        moves = np.concatenate([ways[0][ids[:2]], ways[1][ids[2:]]])
        assert grown <= np.sum(near.gradient[row] * moves) + 1e-10


def test_merged_pairs_have_the_same_sum_in_fewer_rows():
    mesh = crumpled(4, n=7, size=0.05)
    listed = fc.candidates(mesh, inflate=0.3)
    every = listed.distances(within=0.3)
    once = listed.distances(within=0.3, merge=True)
    assert len(once) < len(every)
    assert once.multiplicity.sum() == len(every)
    barriers = [np.sum(d.multiplicity * (d.distance_squared - 0.09) ** 2) for d in (every, once)]
    assert barriers[0] == pytest.approx(barriers[1], rel=1e-12)
    parts = [parts_of(once, row) for row in range(len(once))]
    assert len(set(parts)) == len(parts)
    sizes = [tuple(sorted(map(len, part))) for part in parts]
    names = {(1, 1): "POINT_POINT", (1, 2): "POINT_EDGE", (1, 3): "POINT_FACE", (2, 2): "EDGE_EDGE"}
    assert [fc.ClosestKind(kind).name for kind in once.closest_kind] == [names[size] for size in sizes]


def parts_of(near, row):
    """The vertices that hold the closest points of a row."""
    split = 2 if near.kind[row] == fc.ContactKind.EDGE_EDGE else 1
    ids, is_used = near.vertex_ids[row].tolist(), near.weights[row] > 0
    held = [frozenset(i for i, used in zip(ids[s], is_used[s], strict=True) if used) for s in
            (slice(split), slice(split, 4))]  # fmt: skip
    return frozenset(held)


def test_merged_pairs_are_those_of_another_library():
    ipctk = pytest.importorskip("ipctk")
    mesh = crumpled(6, n=5, size=0.05)
    within = 0.2
    theirs = ipctk.CollisionMesh(mesh.vertices, mesh.edges, mesh.faces)
    collisions = ipctk.NormalCollisions()
    collisions.build(theirs, mesh.vertices, within)
    positions = {
        (collisions[k].compute_distance(collisions[k].dof(mesh.vertices, mesh.edges, mesh.faces)))
        : collisions[k].weight for k in range(len(collisions))
    }  # fmt: skip
    own = fc.candidates(mesh, inflate=within).distances(within=within, merge=True)
    mine = sorted(zip(own.distance_squared.tolist(), own.multiplicity.tolist(), strict=True))
    assert len(mine) == len(collisions)
    for (squared, count), (other, weight) in zip(mine, sorted(positions.items()), strict=True):
        assert squared == pytest.approx(other, rel=1e-9)
        assert count == pytest.approx(weight)


def test_a_mesh_that_passes_through_itself_at_the_start_is_told_so():
    mesh = crumpled(0, size=0.0)
    folded = mesh.vertices.copy()
    folded[-1] = [0.3, 0.3, -0.2]
    folded[-2] = [0.4, 0.3, 0.2]
    listed = fc.candidates(mesh, inflate=2.0)
    step = mesh.deforming(folded, folded + 0.25 * UP)
    fresh = fc.contacts(step)
    assert (fresh.kind == fc.ContactKind.EDGE_FACE).any()
    assert_same_bytes(listed.contacts(folded + 0.25 * UP, folded), fresh)
    assert listed.safe_step(folded + 0.25 * UP, folded) == 0.0
    there = fc.candidates(fc.Mesh(folded, mesh.faces), inflate=0.2)
    assert_same_bytes(there.contacts(folded + 0.25 * UP), fresh)
    knows_better = fc.candidates(mesh, inflate=2.0, assume_free_start=True)
    found = knows_better.contacts(folded + 0.25 * UP, folded)
    assert_same_bytes(found, fc.contacts(step, assume_free_start=True))


def test_who_goes_too_far_is_told_who_and_how_far():
    listed = fc.candidates(LEAF, FLOOR, inflate=0.5)
    places = LEAF.vertices.copy()
    places[1] += [0, 0, 0.5]
    assert listed.covers([places, None])
    assert not listed.covers([places, None], within=0.1)
    assert listed.covers([LEAF.vertices, None], within=1.0)
    places[1] += [0, 0, 0.25]
    assert not listed.covers([places, None])
    for ask in (listed.contacts, listed.first_contact, listed.safe_step):
        with pytest.raises(ValueError, match=r"vertex 1 of thing 0 is 0\.75 away"):
            ask([places, None])
        with pytest.raises(ValueError, match=r"vertex 1 of thing 0 is 0\.75 away"):
            ask([None, None], [places, None])
    with pytest.raises(ValueError, match="vertex 2 of thing 1 is 3 away"):
        listed.safe_step([None, FLOOR.vertices + np.outer([0, 0, 7.5], UP)])
    with pytest.raises(ValueError, match=r"2 \* inflate \+ min_separation = 1; received 1\.5"):
        listed.distances(within=1.5)


WRONG = {
    "no length": (lambda: fc.candidates(LEAF, inflate=-1), "inflate must be"),
    "no number": (lambda: fc.candidates(LEAF, inflate="far"), "inflate must be"),
    "no mesh": (lambda: fc.candidates(fc.Sphere(1), inflate=1), "received a Sphere"),
    "a motion": (lambda: fc.candidates(FALLING, inflate=1), "moves rigidly"),
    "a batch": (lambda: fc.candidates(LEAF.at(np.tile(np.eye(4), (2, 1, 1))), inflate=1), "a batch of poses"),
    "too many": (lambda: fc.candidates(crumpled(0), inflate=1, max_pairs=10), "more than 10 pairs"),
    "an array for two": (
        lambda: fc.candidates(LEAF, FLOOR, inflate=1).safe_step(LEAF.vertices),
        "v1 must be a list of 2",
    ),
    "too few": (lambda: fc.candidates(LEAF, FLOOR, inflate=1).safe_step([None]), "received 1 items"),
    "rows": (lambda: fc.candidates(LEAF, inflate=1).safe_step([[0, 0, 0]]), "mesh's 3 vertices; received 1"),
    "not finite": (lambda: fc.candidates(LEAF, inflate=1).covers([[np.nan] * 3] * 3), "v must be finite"),
    "a distance": (lambda: fc.candidates(LEAF, inflate=1).distances(within=-1), "within must be"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_wrong_input_gets_one_sentence(name):
    ask, message = WRONG[name]
    with pytest.raises((ValueError, TypeError), match=message) as caught:
        ask()
    assert "\n" not in str(caught.value)


def test_candidates_travel_and_tell_how_many_they_are():
    mesh = crumpled(3)
    listed = fc.candidates(mesh, inflate=0.2)
    assert len(listed) > 100
    assert repr(listed).startswith("Candidates(")
    assert repr(listed).endswith("inflate=0.2)")
    assert listed.inflate == 0.2
    assert listed.min_separation == 0.0
    other = pickle.loads(pickle.dumps(listed))
    end = moved(np.random.default_rng(0), mesh.vertices, 0.2)
    assert_same_bytes(listed.contacts(end), other.contacts(end))
    assert len(fc.candidates(fc.Mesh([], []), inflate=1)) == 0
    assert fc.candidates(fc.Mesh([], []), inflate=1).safe_step(np.empty((0, 3))) == 1.0
    assert len(fc.candidates(fc.Mesh([], []), inflate=1).distances(within=1, gradient=True, merge=True)) == 0


def test_a_small_step_looks_at_few_pairs():
    mesh = crumpled(5, n=12, size=0.01)
    listed = fc.candidates(mesh, inflate=0.3)
    end = moved(np.random.default_rng(1), mesh.vertices, 0.3)
    counts = [
        listed.contacts(mesh.vertices + share * (end - mesh.vertices)).stats.feature_pairs
        for share in (1.0, 0.1, 0.01)
    ]
    assert counts[0] > 5 * counts[1] > 0 or counts[1] == 0
    assert counts[2] <= counts[1]


def test_threads_change_nothing():
    mesh = crumpled(8, n=40, size=0.01)
    end = moved(np.random.default_rng(2), mesh.vertices, 0.05)
    answers, n_threads = [], numba.get_num_threads()
    for n in (1, 2):
        numba.set_num_threads(min(n, n_threads))
        listed = fc.candidates(mesh, inflate=0.05)
        answers.append((listed.contacts(end), listed.distances(end, within=0.0)))
    numba.set_num_threads(n_threads)
    for one, other in zip(*answers, strict=True):
        assert_same_bytes(one, other)


def test_strands_and_points_have_candidates_too():
    rng = np.random.default_rng(4)
    hair = fc.Strands(np.cumsum(0.2 * rng.normal(size=(24, 3)), axis=0), [8, 8, 8], 0.02)
    listed = fc.candidates(hair, inflate=0.3)
    start = hair.deforming(hair.vertices, hair.vertices).vertices(0.0)
    for scale in (0.05, 0.3):
        end = moved(rng, start, scale)
        assert_same_bytes(listed.contacts(end), fc.contacts(hair.deforming(start, end)))
        assert listed.safe_step(end) == fc.safe_step(hair.deforming(start, end))


def test_neighbours_have_no_meaning_between_two():
    mesh = fc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    with pytest.raises(
        ValueError, match=r"^ignore_near has no meaning for candidates of a and b: it is about"
    ):
        fc.candidates(mesh, mesh, inflate=0.1, ignore_near=1)


def test_no_first_contact_is_equal_in_a_list_of_one():
    mesh = fc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    thing = mesh.deforming(mesh.vertices, mesh.vertices)
    listed = fc.candidates([thing], inflate=0.1, self_contact=True)
    found = fc.first_contact([thing], self_contact=True)
    assert not found
    assert listed.first_contact(mesh.vertices) == found == fc.first_contact(thing)
    assert found.thing_ids.shape == (0, 2)
