"""Changes of a scene that cannot change its contacts, or change them in a known way."""

import numpy as np
import pytest

import firstcontact as fc
from oracles.brute_force_contacts import Body
from properties.meshes import FAMILIES, Scene, generate, moving, moving_scene, rows_by_pair
from samples import sample

SEEDS = range(40, 40 + sample(2, of=4))
PAIRS = ("colliding", "boxes on a lattice", "two soups", "sheet on ball")
ON_LATTICES = ("lattice soup", "folded flat", "boxes on a lattice", "in one plane")
MIRRORED = {
    fc.ContactKind.VERTEX_FACE: fc.ContactKind.FACE_VERTEX,
    fc.ContactKind.EDGE_EDGE: fc.ContactKind.EDGE_EDGE,
    fc.ContactKind.FACE_VERTEX: fc.ContactKind.VERTEX_FACE,
    fc.ContactKind.EDGE_FACE: fc.ContactKind.FACE_EDGE,
    fc.ContactKind.FACE_EDGE: fc.ContactKind.EDGE_FACE,
}

every_family = pytest.mark.parametrize("family", FAMILIES)


def mapped(scene, change):
    """Change all positions of a scene."""
    bodies = [body and Body(change(body.start), change(body.end), body.faces) for body in scene]
    return Scene(*bodies)


def assert_same_contacts(first, second, relabel=lambda pair: pair):
    """Equal pairs up to new labels, and times that may be one and the same."""
    rows = rows_by_pair(second)
    expected = {relabel(pair): row for pair, row in rows_by_pair(first).items()}
    assert rows.keys() == expected.keys()
    for pair, row in rows.items():
        before = expected[pair]
        assert first.status[before] == second.status[row]
        assert first.time[before] <= second.time_upper[row]
        assert second.time[row] <= first.time_upper[before]


def assert_unchanged(scene, changed):
    assert_same_contacts(fc.contacts(*moving_scene(scene)), fc.contacts(*moving_scene(changed)))


@pytest.mark.parametrize("family", PAIRS)
def test_swapping_two_bodies_swaps_their_roles(family):
    for seed in SEEDS:
        a, b = moving_scene(generate(family, seed))
        first, second = fc.contacts(a, b), fc.contacts(b, a)
        assert_same_contacts(first, second, lambda pair: (int(MIRRORED[pair[0]]), pair[2], pair[1]))


def test_swapping_two_bodies_turns_normals_around():
    for seed in SEEDS:
        a, b = moving_scene(generate("sheet on ball", seed))
        first, second = fc.contacts(a, b), fc.contacts(b, a)
        rows = rows_by_pair(second)
        for (kind, i, j), row in rows_by_pair(first).items():
            other = rows[int(MIRRORED[kind]), j, i]
            np.testing.assert_allclose(second.normals[other], -first.normals[row], atol=1e-6)
            np.testing.assert_allclose(second.points[other], first.points[row], atol=1e-6)


@every_family
def test_permuted_vertices_and_faces_are_relabelled(family):
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        scene = generate(family, seed)
        bodies, maps = zip(*(permuted(rng, body) for body in scene if body), strict=True)
        kinds = (("vertex", "face"), ("edge", "edge"), ("face", "vertex"), ("edge", "face"), ("face", "edge"))

        def relabel(pair, maps=maps, kinds=kinds):
            kind, i, j = pair
            i, j = maps[0][kinds[kind][0]][i], maps[-1][kinds[kind][1]][j]
            is_unordered = len(maps) == 1 and kind == fc.ContactKind.EDGE_EDGE
            return (kind, min(i, j), max(i, j)) if is_unordered else (kind, i, j)

        first, second = fc.contacts(*moving_scene(scene)), fc.contacts(*map(moving, bodies))
        assert_same_contacts(first, second, relabel)


def permuted(rng, body):
    """A body with other numbers, and the new number of each vertex, face and edge."""
    new_vertex, new_face = rng.permutation(len(body.start)), rng.permutation(len(body.faces))
    start, end, faces = (np.empty_like(array) for array in body)
    start[new_vertex], end[new_vertex] = body.start, body.end
    faces[new_face] = np.roll(new_vertex[body.faces], rng.integers(3), axis=1)[:, :: rng.choice([-1, 1])]
    old, new = fc.Mesh(body.start, body.faces), fc.Mesh(start, faces)
    numbers = {tuple(edge): e for e, edge in enumerate(new.edges.tolist())}
    new_edge = [numbers[tuple(sorted(edge))] for edge in new_vertex[old.edges].tolist()]
    return Body(start, end, faces), {"vertex": new_vertex, "face": new_face, "edge": new_edge}


@every_family
@pytest.mark.parametrize("scale", [2.0**-30, 2.0**20])
def test_scaling_by_powers_of_two(family, scale):
    for seed in SEEDS:
        scene = generate(family, seed)
        assert_unchanged(scene, mapped(scene, lambda points: scale * points))


@pytest.mark.parametrize("family", ON_LATTICES)
@pytest.mark.parametrize("shift", [(1.0, -2.0, 4.0), (2.0**30, -(2.0**20), 2.0**-3)])
def test_exact_translations(family, shift):
    for seed in SEEDS:
        scene = generate(family, seed)
        assert_unchanged(scene, mapped(scene, lambda points: points + shift))


@every_family
@pytest.mark.parametrize(("order", "signs"), [((1, 2, 0), (1, 1, 1)), ((0, 2, 1), (-1, 1, -1))])
def test_exchanged_and_mirrored_axes(family, order, signs):
    for seed in SEEDS:
        scene = generate(family, seed)
        assert_unchanged(scene, mapped(scene, lambda points: points[:, order] * np.array(signs, float)))


@every_family
def test_reversed_time_touches_the_same(family):
    for seed in SEEDS:
        scene = generate(family, seed)
        backward = Scene(*(body and Body(body.end, body.start, body.faces) for body in scene))
        # Edges that pass through faces count at the start only, and so not the same ones backwards.
        forth, back = (fc.contacts(*moving_scene(way), assume_free_start=True) for way in (scene, backward))
        assert rows_by_pair(forth).keys() == rows_by_pair(back).keys()


@every_family
def test_a_larger_separation_has_more_contacts_and_earlier_ones(family):
    for seed in SEEDS:
        scene, before = moving_scene(generate(family, seed)), None
        for separation in (0.0, 1e-9, 0.0625, 0.5):
            contacts = fc.contacts(*scene, min_separation=separation)
            rows = rows_by_pair(contacts)
            for pair, (_, time_upper) in (before or {}).items():
                assert contacts.time[rows[pair]] <= time_upper
            before = {pair: (contacts.time[row], contacts.time_upper[row]) for pair, row in rows.items()}


@every_family
def test_a_longer_step_at_the_same_speed_has_all_contacts_of_a_shorter_one(family):
    for seed in SEEDS:
        scene = generate(family, seed)
        # Half of the way, where that is exact: then times double.
        halves = [body and 0.5 * (body.start + body.end) for body in scene]
        is_exact = all(
            body is None or np.array_equal(half - body.start, body.end - half)
            for body, half in zip(scene, halves, strict=True)
        )
        if family not in ON_LATTICES or not is_exact:
            continue
        shorter = Scene(*(body and body._replace(end=half) for body, half in zip(scene, halves, strict=True)))
        whole, part = fc.contacts(*moving_scene(scene)), fc.contacts(*moving_scene(shorter))
        rows = rows_by_pair(whole)
        early = {pair for pair, row in rows.items() if whole.time_upper[row] <= 0.5}
        late = {pair for pair, row in rows.items() if whole.time[row] > 0.5}
        assert early <= rows_by_pair(part).keys() <= rows.keys() - late
