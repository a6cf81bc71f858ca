import math
import zlib
from collections import Counter

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.viz.cloud_parts import MAX_SIDES, THINNEST
from firstcontact.viz.drawing import DURATION, drawing_of
from firstcontact.viz.scaled import SIZE
from firstcontact.viz.view import CONTACT_COLOR
from firstcontact.viz.view_of import view_of
from viz.things import (
    NASTY,
    apart,
    contacts,
    cube,
    edges,
    hair_hit,
    hit,
    inside,
    miss,
    robot_hit,
    scan_hit,
    scene,
)

msgpack = pytest.importorskip("msgpack")


def unpacked(drawing):
    """All objects of a drawing by their ids."""
    objects = msgpack.unpackb(zlib.decompress(drawing.packed))["objects"]
    return {one["id"]: one for one in objects}


@pytest.mark.parametrize(
    "what", [hit, edges, miss, contacts, robot_hit, scene, apart, inside, scan_hit, hair_hit]
)
def test_every_layer_is_in_the_drawing_and_nothing_else(what):
    drawing = drawing_of(view_of(what()))
    assert {layer.id for layer in drawing.layers} == set(unpacked(drawing))
    assert all(0.0 <= layer.since <= layer.until <= 1.0 for layer in drawing.layers)
    assert all(math.isfinite(number) for number in drawing.camera)


def test_what_moves_has_ghosts_and_all_have_names_and_boxes():
    roles = Counter(layer.role for layer in drawing_of(view_of(hit())).layers)
    assert roles["body"] == roles["name"] == 2
    assert roles["ghost"] >= 1
    assert roles["bound"] >= 3
    assert roles["contact"] == roles["normal"] == 1
    assert roles["feature"] >= 2


def test_what_rests_has_no_ghosts():
    roles = Counter(layer.role for layer in drawing_of(view_of(apart())).layers)
    assert "ghost" not in roles
    assert "normal" not in roles
    assert roles["contact"] == 2  # two points, and the line between them


def test_contacts_are_seen_from_their_time_on():
    layers = drawing_of(view_of(hit())).layers
    for layer in layers:
        is_contact = layer.role in {"contact", "normal", "feature"}
        assert (layer.since, layer.until) == ((hit().time if is_contact else 0.0), 1.0)


def test_a_robot_has_one_name():
    drawing = drawing_of(view_of(robot_hit()))
    texts = [unpacked(drawing)[layer.id]["text"] for layer in drawing.layers if layer.role == "name"]
    assert texts == ["arm", "rod"]


def test_names_are_no_html():
    drawing = drawing_of(view_of(hit(), names={"a": NASTY}))
    texts = [unpacked(drawing)[layer.id]["text"] for layer in drawing.layers if layer.role == "name"]
    assert not any("<" in text or ">" in text for text in texts)


def test_times_are_those_of_the_bodies():
    view = view_of(cube().moving(np.eye(4), angular_velocity=[0, 0, 1]))
    drawing = drawing_of(view)
    body = next(unpacked(drawing)[layer.id] for layer in drawing.layers if layer.role == "body")
    times = np.array([float(key) for key in body["model_matrix"]])
    np.testing.assert_allclose(times, DURATION * view.bodies[0].times, rtol=1e-12)


def test_an_empty_view_can_be_drawn():
    assert drawing_of(view_of({})).layers == ()


def objects_of(what, role):
    drawing = drawing_of(view_of(what))
    return [unpacked(drawing)[layer.id] for layer in drawing.layers if layer.role == role]


def floats(packed):
    return np.frombuffer(
        zlib.decompress(packed["compressed_data"]) if "compressed_data" in packed else packed["data"],
        np.float32,
    )


def indices(packed):
    data = zlib.decompress(packed["compressed_data"]) if "compressed_data" in packed else packed["data"]
    return np.frombuffer(data, np.uint32)


def test_points_are_one_object_of_balls_as_large_as_they_are():
    view = view_of(scan_hit())
    cloud, box = objects_of(scan_hit(), "body")
    assert (cloud["type"], box["type"]) == ("Points", "Mesh")
    assert cloud["shader"] == "3d"
    radii = 0.5 * floats(cloud["point_sizes"]) * view.size / SIZE
    np.testing.assert_allclose(radii, [0.1, 0.2, THINNEST * view.size], rtol=1e-6)
    assert len(cloud["model_matrix"]) == 2


def test_strands_are_balls_and_one_surface_that_deform():
    balls, tubes = objects_of(hair_hit(), "body")
    assert (balls["type"], tubes["type"]) == ("Points", "Mesh")
    assert len(balls["positions"]) == len(tubes["vertices"]) == 2
    assert len(floats(balls["positions"]["0.0"])) == 3 * 6
    assert len(floats(tubes["vertices"]["0.0"])) == 3 * 4 * 2 * MAX_SIDES


def test_too_many_tubes_are_lines(monkeypatch):
    monkeypatch.setattr("firstcontact.viz.drawing.MAX_TUBE_VERTICES", 100)
    assert [one["type"] for one in objects_of(hair_hit(), "body")] == ["Points", "Lines"]


def test_many_points_have_fewer_ghosts_and_many_tubes_lines(monkeypatch):
    monkeypatch.setattr("firstcontact.viz.drawing.MAX_GHOSTS", 2)
    monkeypatch.setattr("firstcontact.viz.drawing.MAX_GHOST_TUBES", 3)
    assert [len(floats(one["positions"])) for one in objects_of(scan_hit(), "ghost")] == [6, 6]
    assert [one["type"] for one in objects_of(hair_hit(), "ghost")] == ["Lines", "Lines"]


def test_a_body_of_many_vertices_is_named_above_its_box(monkeypatch):
    turning = fc.Points(np.eye(3)).moving(np.eye(4), angular_velocity=[0, 0, 0.1])
    (name,) = objects_of(turning, "name")
    monkeypatch.setattr("firstcontact.viz.drawing.MAX_NAMED", 2)
    (above,) = objects_of(turning, "name")
    assert len(above["position"]) == len(name["position"]) > 2
    assert floats(above["position"]["0.0"])[2] == floats(name["position"]["0.0"])[2]


def test_voxels_have_flat_sides_and_lines_where_these_meet():
    two = fc.Voxels([[0, 0, 0], [1, 0, 0]], 1.0).moving(np.eye(4), velocity=[1, 0, 0])
    sides, lines = objects_of(two, "body")
    assert (sides["type"], sides["flat_shading"]) == ("Mesh", True)
    assert len(sides["model_matrix"]) == len(lines["model_matrix"]) == 2
    ends = floats(lines["vertices"]).reshape(-1, 3)[indices(lines["indices"]).reshape(-1, 2)]
    along = np.abs(ends[:, 1] - ends[:, 0])
    assert ((along > 0).sum(axis=1) == 1).all()  # no diagonals of sides
    assert along.sum(axis=0)[1:].tolist() == pytest.approx([4 * along[:, 1].max()] * 2)  # none between cells


def test_clouds_have_ghosts_and_what_touches_in_the_colour_of_contacts():
    assert [one["type"] for one in objects_of(scan_hit(), "ghost")] == ["Points", "Points"]
    assert [one["type"] for one in objects_of(hair_hit(), "ghost")] == ["Points", "Mesh"] * 2
    ball = objects_of(scan_hit(), "feature")[0]
    assert (ball["type"], ball["color"]) == ("Points", CONTACT_COLOR)
    size = view_of(scan_hit()).size / SIZE
    assert 0.4 < floats(ball["point_sizes"])[0] * size < 0.42
    red = objects_of(hair_hit(), "feature")
    assert {one["type"] for one in red} == {"Points", "Mesh"}
    assert {one["color"] for one in red} == {CONTACT_COLOR}
