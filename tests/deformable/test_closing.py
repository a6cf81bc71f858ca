"""What touches at the start and parts is left out; what comes nearer is listed, and not late."""

import numpy as np
import pytest

import firstcontact as fc
from oracles.feature_distance import distances_over_time
from properties.meshes import FAMILIES, generate, grid, moving_scene, rows_by_pair
from samples import sample

SEPARATION = 0.125
TIMES = np.linspace(0.0, 1.0, 400)
PLACES, FACES = grid(2, 2)


def corners_of(scene, kind, contacts, row):
    """The four points of a row at both ends."""
    a, b = scene.a, scene.a if scene.b is None else scene.b
    first, second = (b, a) if kind == fc.ContactKind.FACE_VERTEX else (a, b)
    n, ids = (2 if kind == fc.ContactKind.EDGE_EDGE else 1), contacts.vertex_ids[row]
    return [
        np.concatenate([getattr(first, end)[ids[:n]], getattr(second, end)[ids[n:]]])
        for end in ("start", "end")
    ]


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_left_out_never_comes_nearer_than_at_the_start(family):
    for seed in range(sample(1, of=6)):
        scene = generate(family, seed)
        for exact in (True, False):
            everything = fc.contacts(*moving_scene(scene), min_separation=SEPARATION, exact=exact)
            closing = fc.contacts(
                *moving_scene(scene), min_separation=SEPARATION, exact=exact, only_closing=True
            )
            rows, kept = rows_by_pair(everything), rows_by_pair(closing)
            assert kept.keys() <= rows.keys()
            assert fc.safe_step(
                *moving_scene(scene), min_separation=SEPARATION, exact=exact, only_closing=True
            ) == pytest.approx(closing.time.min(initial=1.0), abs=1e-8)
            for pair, row in rows.items():
                if everything.vertex_ids[row, 0] < 0:
                    assert pair in kept  # what passes through stays
                    continue
                if everything.time[row] > 0.0:
                    assert closing.time[kept[pair]] == everything.time[row]
                    continue
                until = closing.time[kept[pair]] if pair in kept else 1.0
                start, end = corners_of(scene, pair[0], everything, row)
                found = distances_over_time(start, end, pair[0] == fc.ContactKind.EDGE_EDGE, TIMES * until)
                slack = 1e-12 * (1.0 + np.abs([start, end]).max())
                assert found.min() >= min(found[0], SEPARATION) - slack, pair


def test_a_step_can_begin_in_contact():
    sheet, floor = fc.Mesh(PLACES, FACES, 0.05), fc.Mesh(PLACES + np.array([0.03, 0.02, 0.0]), FACES, 0.05)
    start = PLACES + np.array([0.0, 0.0, 0.08])
    lifted = sheet.deforming(start, start + np.array([0, 0, 1]))
    sunk = sheet.deforming(start, start - np.array([0, 0, 0.01]))
    for moving in (lifted, sheet.deforming(start, start)):  # a pair at rest does not close
        assert len(fc.contacts(moving, floor)) > 0
        assert len(fc.contacts(moving, floor, only_closing=True)) == 0
        assert fc.safe_step(moving, floor, only_closing=True) == 1.0
        assert not fc.first_contact(moving, floor, only_closing=True)
    assert fc.safe_step(sunk, floor, only_closing=True) == 0.0
    carried = fc.Mesh(PLACES, FACES, 0.05)
    both = [x + np.array([0.1, 0.7, -0.3]) for x in (start, floor.vertices)]
    together = sheet.deforming(start, both[0]), carried.deforming(floor.vertices, both[1])
    assert len(fc.contacts(*together, only_closing=True)) == 0


def test_a_pair_that_comes_back_touches_when_it_does():
    # Above a corner of a face that hangs down, and swings up below what goes up and aside.
    face = fc.Mesh([[0, 0, 0], [5, 1, -5], [5, -1, -5]], [[0, 1, 2]])
    leaf = fc.Mesh([[0, 0, 0.1], [0.1, 0, 30], [0, 0.1, 30]], [[0, 1, 2]])
    aside, up = leaf.vertices + np.array([3.0, 0.0, 0.5]), face.vertices * [1.0, 1.0, -1.0]
    moves = leaf.deforming(leaf.vertices, aside), face.deforming(face.vertices, up)
    plain, closing = (fc.contacts(*moves, min_separation=0.2, only_closing=only) for only in (False, True))
    back = rows_by_pair(closing)[fc.ContactKind.VERTEX_FACE, 0, 0]
    assert plain.time[rows_by_pair(plain)[fc.ContactKind.VERTEX_FACE, 0, 0]] == 0.0
    start, end = (np.array([x[0], *y]) for x, y in ((leaf.vertices, face.vertices), (aside, up)))
    over = np.linspace(0.0, 1.0, 20001)
    near = distances_over_time(start, end, False, over)
    parted = np.flatnonzero(near > 0.2)[0]
    again = over[parted + np.flatnonzero(near[parted:] <= 0.2)[0]]
    assert again - 1e-4 < closing.time[back] <= again
    assert closing.time[back] <= closing.time_upper[back] <= again + 1e-4
    assert closing.status[back] == fc.Status.CONTACT
    first = fc.first_contact(*moves, min_separation=0.2, only_closing=True)
    assert first.time == pytest.approx(closing.time[0], abs=1e-8)


@pytest.mark.parametrize("tilt", [0.0, 0.3])
def test_without_a_separation_what_rests_may_lift_and_slide_but_not_sink(tilt):
    turn = np.array([[np.cos(tilt), 0, -np.sin(tilt)], [0, 1, 0], [np.sin(tilt), 0, np.cos(tilt)]])
    floor = fc.Mesh(np.array([[-9.0, -9, 0], [9, -9, 0], [0, 9, 0]]) @ turn, [[0, 1, 2]])
    leaf = fc.Mesh(np.array([[0.0, 0, 0], [1, 0, 2], [0, 1, 2]]) @ turn, [[0, 1, 2]])
    for way, closes in (([0, 0, 1.0], False), ([0, 0, 0.0], False), ([0, 0, -1.0], True)):
        moving = leaf.deforming(leaf.vertices, leaf.vertices + np.array(way) @ turn)
        if tilt == 0.0:
            assert len(fc.contacts(moving, floor)) > 0
        assert (fc.safe_step(moving, floor, only_closing=True) < 1e-9) == closes
    if tilt == 0.0:  # where the plane is one of doubles, so is the motion along it
        slides = leaf.deforming(leaf.vertices, leaf.vertices + np.array([0.5, 0, 0]))
        assert fc.safe_step(slides, floor, only_closing=True) == 1.0


def test_where_nothing_deforms_by_itself_it_is_refused():
    ball = fc.Sphere(1.0)
    for ask in (fc.first_contact, fc.safe_step):
        with pytest.raises(ValueError, match="only_closing has no meaning for convex shapes"):
            ask(ball, ball, only_closing=True)
    turning = fc.Mesh(PLACES, FACES).moving(np.eye(4), angular_velocity=[0, 0, 1])
    with pytest.raises(ValueError, match="only_closing has no meaning"):
        fc.contacts(fc.Mesh(PLACES, FACES).deforming(PLACES, PLACES), turning, only_closing=True)
