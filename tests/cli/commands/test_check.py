import json

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.cli.commands import check
from firstcontact.cli.main import main

FALL = ("sphere:0.5", "box:1,1,1", "--start-a", "0,0,3", "--end-a", "0,0,-3")
TIME = 1 / 3  # of the contact of the fall
TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


def run(*arguments):
    return main(["check", *map(str, arguments)])


def answer(capsys, *arguments):
    """What a command that succeeds prints as JSON, strictly read."""
    assert run(*arguments, "--json") == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    return json.loads(shown.out, parse_constant=pytest.fail)


@pytest.fixture
def mesh(tmp_path):
    path = tmp_path / "leaf.obj"
    path.write_text(TRIANGLE)
    return path


def test_the_first_contact_is_told(capsys):
    assert run(*FALL) == 0
    lines = capsys.readouterr().out.splitlines()
    first = lines[0].split()
    assert first[:4] == ["contact", "at", "t", "="]
    assert TIME - 1e-6 < float(first[4].rstrip(",")) <= TIME <= float(first[-1]) < TIME + 1e-6
    assert lines[2].split()[0] == "touching"
    assert lines[3].split()[:3] == ["shape-shape", "-", "-"]
    assert lines[3].endswith("0, 0, 0.5        0, 0, -1")


def test_what_is_thrown_falls(capsys):
    told = answer(capsys, "sphere:0.5", "box:1,1,1", "--start-a", "0,0,3", "--acceleration-a", "0,0,-16")
    assert 0.5 - 1e-6 < told["t"] <= 0.5 <= told["t_upper"]
    up = ("--velocity-a", "0,0,1", "--acceleration-a", "0,0,-16")
    assert answer(capsys, "sphere:0.5", "box:1,1,1", "--start-a", "0,0,3", *up)["t"] > told["t"]
    bent = answer(capsys, *FALL, "--acceleration-a", "0,0,-16")
    assert bent["t"] > TIME  # the same ends, by a parabola above the straight way


def test_json_is_the_answer_of_the_library(capsys, mesh):
    start, end = np.eye(4), np.eye(4)
    start[2, 3], end[2, 3] = 1.0, -1.0
    found = fc.first_contact(fc.load(mesh).moving(start, end), fc.load(mesh))
    told = answer(capsys, mesh, mesh, "--start-a", "0,0,1", "--end-a", json.dumps(end.tolist()))
    assert (told["t"], told["t_upper"], told["status"]) == (found.time, None, "contact")
    assert told["is_free"] is False
    assert [contact["point"] for contact in told["contacts"]] == found.points.tolist()
    assert [[contact["id_a"], contact["id_b"]] for contact in told["contacts"]] == found.features[
        :, 1:
    ].tolist()
    assert {contact["kind"] for contact in told["contacts"]} <= {"vertex-face", "edge-edge", "face-vertex"}
    assert told["view"] is None


def test_no_contact_is_told_as_proven(capsys):
    assert run("sphere:1", "sphere:1", "--start-a", "5,0,0") == 0
    assert capsys.readouterr().out == "free, proven\n"
    told = answer(capsys, "sphere:1", "sphere:1", "--start-a", "5,0,0")
    assert (told["is_free"], told["status"], told["t"], told["contacts"]) == (True, "separated", None, [])


def test_a_separation_counts_as_contact(capsys):
    apart = ("sphere:1", "sphere:1", "--start-a", "5,0,0")
    assert run(*apart, "--min-separation", "2.5") == 0
    assert capsys.readouterr().out == "free: more than 2.5 apart at all times, proven\n"
    assert run(*apart, "--min-separation", "3.5") == 0
    assert capsys.readouterr().out.startswith("contact (within 3.5) from the start\n")


def test_velocities_may_be_given_in_place_of_an_end(capsys):
    told = answer(capsys, "sphere:0.5", "box:1,1,1", "--start-a", "-3,0,0", "--velocity-a", "-4,0,0")
    assert told["is_free"]
    told = answer(capsys, "sphere:0.5", "box:1,1,1", "--start-a", "-3,0,0", "--velocity-a", "4,0,0")
    assert told["t"] == pytest.approx(0.5, abs=1e-6)
    # A bar of length 4 turns twice about z; it meets the ball after 90 degrees less what both are wide.
    bar = ("box:4,0.1,0.1", "sphere:0.1", "--start-b", "0,1.5,0", "--angular-velocity-a")
    assert answer(capsys, *bar, "0,0,720")["t"] == pytest.approx(0.125, abs=0.02)
    assert answer(capsys, *bar, "720,0,0")["is_free"]


def test_options_reach_the_query(capsys, monkeypatch):
    given = {}

    def first_contact(_a, _b, **options):
        given.update(options)
        raise ValueError("enough")

    monkeypatch.setattr(check.fc, "first_contact", first_contact)
    options = ("--tolerance", "0.1", "--min-separation", "0.2", "--method", "ca", "--solid")
    assert run(*FALL, *options) == 2
    assert given == {"tolerance": 0.1, "min_separation": 0.2, "method": "ca", "solid": True}
    assert capsys.readouterr().err == "firstcontact: enough\n"


def test_the_exit_status_tells_of_contact_on_request(capsys):
    assert run(*FALL, "--exit-code") == 1
    assert run(*FALL, "--exit-code", "--json") == 1
    assert run("sphere:1", "sphere:1", "--start-a", "5,0,0", "--exit-code") == 0
    capsys.readouterr()


def test_a_long_list_is_cut_for_people_only(capsys, mesh, monkeypatch):
    monkeypatch.setattr(check, "_N_ROWS", 1)
    assert run(mesh, mesh) == 0
    shown = capsys.readouterr().out.splitlines()
    n = len(answer(capsys, mesh, mesh)["contacts"])
    assert n > 1
    assert shown[-1] == f"and {n - 1} more, which --json lists"


def test_a_page_is_written(capsys, tmp_path):
    pytest.importorskip("k3d")
    page = tmp_path / "fall.html"
    assert run(*FALL, "--view", page) == 0
    assert capsys.readouterr().out.endswith(f"a page is in {page}\n")
    assert "sphere:0.5 and box:1,1,1" in page.read_text(encoding="utf-8")
    assert answer(capsys, *FALL, "--view", page)["view"] == str(page)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("gone.obj", "sphere:1"), "there is no file gone.obj"),
        (("sphere:1", "leaf.txt"), "a mesh file must end in one of .obj"),
        (("wedge:1,2", "sphere:1"), "there is no shape 'wedge'"),
        (("sphere:-1", "sphere:1"), "sphere:-1: radius must be positive"),
        ((*FALL, "--velocity-a", "1,0,0"), "--end-a and velocities exclude each other"),
        ((*FALL, "--velocity-b", "1,0"), "--velocity-b must have 3 finite numbers"),
        ((*FALL, "--velocity-b", "1,0,1e300"), "velocity must lie within"),
        ((*FALL, "--method", "ca"), "method must be 'advancement' or 'swept' or 'bisection' or 'extruded'"),
        ((*FALL, "--view", "no/such/folder.html"), "no/such/folder.html cannot be written"),
    ],
)
def test_bad_input_is_told_in_one_sentence(capsys, tmp_path, monkeypatch, arguments, told):
    monkeypatch.chdir(tmp_path)
    assert run(*arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(f"firstcontact: {told}")
    assert shown.err.count("\n") == 1


@pytest.fixture
def poses(tmp_path):
    path = tmp_path / "poses.csv"
    path.write_text("time,x,y,z\n2,-3,0,0\n4,-1,1,0\n6,1,0,0\n")
    return path


def test_motion_files_are_passed_in_pieces_or_smoothly(capsys, poses):
    places = np.array([[-3.0, 0, 0], [-1, 1, 0], [1, 0, 0]])
    here = np.tile(np.eye(3), (3, 1, 1))
    ball, box = fc.Sphere(0.5), fc.Box([1, 1, 1])
    for options, moving in (
        ((), ball.along((here, places))),
        (("--spline",), ball.along(fc.Spline(None, (here, places)))),
    ):
        found = fc.first_contact(moving, box)
        told = answer(capsys, "sphere:0.5", "box:1,1,1", "--motion-a", poses, *options)
        assert told["t"] == found.time
        assert found.time * 4 + 2 - 1e-12 < told["time"] <= found.time * 4 + 2  # by the clock of the file


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--spline"], "--spline has no meaning without a motion file"),
        (["--motion-a", "POSES", "--velocity-a", "1,0,0"], "leave out --velocity-a"),
        (
            ["--motion-a", "POSES", "--motion-b", "OTHER"],
            "must have the same first and last time; received 2 to 6, and",
        ),
        (["--motion-a", "NONE"], "there is no file"),
    ],
)
def test_motion_files_that_do_not_go_are_told(capsys, poses, options, words):
    other = poses.with_name("other.csv")
    other.write_text("0,0,0,0\n1,0,0,1\n")
    names = {"POSES": poses, "OTHER": other, "NONE": poses.with_name("none.csv")}
    assert run("sphere:0.5", "box:1,1,1", *(names.get(option, option) for option in options)) == 2
    assert words in capsys.readouterr().err
