import json
from dataclasses import replace

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.viz.panel import panel_of
from firstcontact.viz.view_of import view_of
from viz.things import (
    NASTY,
    apart,
    arm,
    ball,
    contacts,
    cube,
    falling,
    hair_hit,
    hit,
    inside,
    miss,
    robot_hit,
    scan_hit,
    scene,
)


def tables(what, names=None):
    return {heading: dict(rows) for heading, rows in view_of(what, names=names or {}).panel}


def test_a_first_contact_tells_when_and_between_what():
    told = tables(hit(), {"a": "hammer"})
    assert told["Answer"]["status"] == "contact"
    assert float(told["Answer"]["time"]) == pytest.approx(hit().time, rel=1e-11)
    assert told["Answer"]["proven at"] == "—"
    assert told["Answer"]["features"] == "vertex 4 and face 0, and 3 more"
    assert told["Things"] == {"hammer": "mesh, 12 triangles, moves", "b": "mesh, 12 triangles, rests"}
    assert told["What the search did"]["iterations"] == f"{hit().stats.iterations:,}"
    assert told["What the search did"]["took"].endswith("s")


def test_no_contact_is_told():
    assert tables(miss())["Answer"] == {"status": "separated"}


def test_names_of_the_two_that_touch():
    assert tables(robot_hit())["Answer"]["between"] == "lower and rod"
    assert tables(robot_hit())["Answer"]["features"] == "shape and shape"
    assert tables(scene())["Answer"]["between"] == "ball and cube"
    assert tables(robot_hit())["Things"]["arm"] == "robot, 2 joints"


def test_all_contacts_are_counted():
    assert tables(contacts())["Answer"]["contacts"] == f"{len(contacts())}"
    assert float(tables(contacts())["Answer"]["first at"]) == pytest.approx(contacts().time[0])
    assert tables(contacts())["Things"]["a"] == "mesh, 2 triangles, deforms"
    assert tables(scene().contacts())["Answer"]["pairs in contact"] == "1"


def test_measures_are_told():
    assert tables(apart())["Answer"] == {"distance": "1"}
    assert tables(inside())["Answer"]["depth"] == f"{inside().depth:.12g}"
    assert tables(fc.penetration(fc.Sphere(1), fc.Sphere(1).at((np.eye(3), [9, 0, 0]))))["Answer"] == {
        "depth": "apart"
    }
    measured = fc.distance(arm().at([0, 0]), {"ball": fc.Sphere(1).at((np.eye(3), [9, 0, 0]))})
    assert tables(measured)["Answer"]["between"] == f"{measured.a} and ball"


def test_counters_of_zero_are_left_out():
    told = panel_of({}, replace(hit(), stats=fc.ContactStats(node_tests=1234, trees=("refit", "rebuilt"))))
    assert dict(told[1][1]) == {"node tests": "1,234", "trees": "refit, rebuilt", "took": "0 ms"}


def test_things_alone_are_named_unless_there_are_very_many():
    assert tables({"ball": ball(), "leaf": falling()})["Things"] == {
        "ball": "Sphere, moves",
        "leaf": "mesh, 2 triangles, deforms",
    }
    assert tables({str(i): cube() for i in range(13)}) == {}


@pytest.mark.parametrize("what", [hit, miss, contacts, robot_hit, scene, apart, inside])
def test_all_of_it_is_text(what):
    for heading, rows in view_of(what()).panel:
        assert isinstance(heading, str)
        assert all(isinstance(cell, str) for row in rows for cell in row)


def test_names_are_plain_text_here():
    """They are escaped by what makes HTML of them, not before."""
    assert NASTY in tables(hit(), {"a": NASTY})["Things"]
    assert json.dumps(view_of(hit(), names={"a": NASTY}).panel)


def test_points_strands_and_voxels_are_counted():
    told = dict(dict(panel_of(scan_hit().things, scan_hit()))["Things"])
    assert told["a"] == "3 points, moves"
    (words,) = dict(dict(panel_of(hair_hit().things, hair_hit()))["Things"]).values()
    assert words == "2 strands, 4 segments, deforms"
    grid = {"grid": fc.Voxels(np.ones((2, 3, 4), bool), 1.0).at(np.eye(4))}
    assert dict(dict(view_of(grid).panel)["Things"]) == {"grid": "24 voxels, rests"}
