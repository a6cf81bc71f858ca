import json
from fractions import Fraction

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import firstcontact as fc
from articulated.robot_files import collision, joint, link, robot, written
from firstcontact.cli.commands import robot as robot_command
from firstcontact.cli.main import main

CONTACT, FAILED = 1, 2
SPHERE = "<sphere radius='0.25'/>"
UP = "<origin xyz='0 0 1'/>"

# A cart that slides along x, and on top of it a ball on an arm of length 1 that turns about y.
URDF = robot(
    link("base", collision("<box size='0.1 0.1 0.1'/>", "<origin xyz='-3 0 0'/>")),
    link("cart", collision(SPHERE)),
    link("arm", collision(SPHERE, UP)),
    joint("slide", "prismatic", "base", "cart", "<axis xyz='1 0 0'/><limit lower='-4' upper='4'/>"),
    joint("hinge", "revolute", "cart", "arm", "<axis xyz='0 1 0'/><limit lower='-2' upper='2'/>"),
)
WALL = "v 2 -9 -0.5\nv 2 9 -0.5\nv 2 0 0.5\nf 1 2 3\n"  # the cart touches it at x = 1.75, if not before
SHELF = "v -9 -9 2\nv 9 -9 2\nv 0 9 2\nf 1 2 3\n"  # nothing touches it
PATH = "slide,hinge\n0,0\n1,0\n3,0\n4,0\n"
TIME = 0.375  # of the contact, in segment 1


@pytest.fixture
def files(tmp_path):
    """Write all files into one folder."""
    written(tmp_path / "toy.urdf", URDF)
    written(tmp_path / "wall.obj", WALL)
    written(tmp_path / "shelf.obj", SHELF)
    written(tmp_path / "path.csv", PATH)
    return tmp_path


def run(files, *options, path=None, world=("wall.obj",)):
    if path is not None:
        written(files / "path.csv", path)
    meshes = [files / name for name in world]
    obstacles = ["--world", *meshes] if meshes else []
    arguments = ["robot", files / "toy.urdf", "--path", files / "path.csv", *obstacles, *options]
    return main([str(argument) for argument in arguments])


def test_what_touches_when_is_told(files, capsys):
    assert run(files) == 0
    shown = capsys.readouterr()
    lines = shown.out.splitlines()
    assert lines[0].split() == ["segment", "t", "link", "touches", "at"]
    row = lines[1].split()
    assert [row[0], *row[2:4]] == ["1", "cart", "wall.obj"]
    assert TIME - 1e-5 < float(row[1]) <= TIME
    assert [float(cell.rstrip(",")) for cell in row[4:]] == pytest.approx([2, 0, 0], abs=1e-5)
    assert len(lines) == 4
    assert lines[3] == (
        f"contact in 1 of 3 segments, the first at t = {row[1]} of segment 1; the others are free, certified"
    )
    assert shown.err == ""


def test_every_segment_with_contact_has_a_row(files, capsys):
    assert run(files, path="0,0\n3,0\n0,0\n1,0\n3,0") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:4]] == ["0", "1", "3"]
    assert "contact in 3 of 4 segments" in lines[-1]


def test_a_path_that_touches_everywhere_has_no_others(files, capsys):
    assert run(files, path="0,0\n3,0") == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("contact in 1 of 1 segment, the first at t = ")
    assert last.endswith(" of segment 0")


def test_only_the_first_contact(files, capsys):
    assert run(files, "--first", path="0,0\n1,0\n3,0\n0,0") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert lines[1].split()[0] == "1"
    assert lines[3].startswith("the first contact is at t = 0.37")
    assert lines[3].endswith("of segment 1; all before it is free, certified")
    assert run(files, "--first", path="2,0\n3,0") == 0
    assert capsys.readouterr().out.endswith("the first contact is at t = 0.0 of segment 0\n")


def test_a_free_path_is_one_line(files, capsys):
    assert run(files, "--exit-code", path="0,0\n1,0\n0.5,0.1") == 0
    assert capsys.readouterr() == ("free: 2 segments, certified\n", "")
    assert run(files, "--first", path="0,0\n1,0") == 0
    assert capsys.readouterr().out == "free: 1 segment, certified\n"


@pytest.mark.parametrize(("place", "outcome"), [("1,0", 0), ("1.9,0", CONTACT)])
def test_one_configuration_is_at_rest(files, capsys, place, outcome):
    assert run(files, "--exit-code", path=f"time,slide,hinge\n7,{place}") == outcome
    out = capsys.readouterr().out
    if outcome:
        assert out.splitlines()[1].split()[:4] == ["0", "0.0", "7.0", "cart"]
        assert out.splitlines()[3] == "contact in the configuration at rest"
    else:
        assert out == "free: 1 configuration at rest, certified\n"


def test_a_path_that_is_passed_smoothly(files, capsys):
    assert run(files, "--spline", "--json", path="time,slide,hinge\n0,0,0\n1,1,0\n2,3,0\n4,4,0\n") == 0
    told = json.loads(capsys.readouterr().out)
    spline = CubicSpline([0, 1, 2, 4], [0, 1, 3, 4])
    times = np.linspace(0, 4, 400001)
    first = times[np.argmax(spline(times) >= 1.75)]
    contact = told["contacts"][0]
    assert contact["segment"] == 1
    assert first - 1e-4 < contact["time"] <= first
    assert contact["t"] == pytest.approx(contact["time"] - 1)
    assert run(files, "--spline", path="slide,hinge\n0,0\n") == FAILED
    assert "--spline needs two configurations or more" in capsys.readouterr().err


def test_a_contact_is_a_failure_on_request(files):
    assert run(files) == 0
    assert run(files, "--exit-code") == CONTACT
    assert run(files, "--exit-code", "--json") == CONTACT


def test_parts_of_a_path_make_no_difference(files, capsys, monkeypatch):
    path = "\n".join(f"{x},{x}" for x in np.linspace(0.0, 3.0, 20).tolist())
    assert run(files, path=path) == 0
    whole = capsys.readouterr().out
    monkeypatch.setattr(robot_command, "PART", 3)
    assert run(files) == 0
    assert capsys.readouterr().out == whole
    assert run(files, "--first") == 0
    assert capsys.readouterr().out.splitlines()[1].split() == whole.splitlines()[1].split()


def test_times_are_by_the_clock_of_the_file(files, capsys):
    assert run(files, path="time,slide,hinge\n10,0,0\n10.1,1,0\n10.4,3,0") == 0
    header, row = (line.split() for line in capsys.readouterr().out.splitlines()[:2])
    assert header[:3] == ["segment", "t", "time"]
    part, clock = Fraction(float(row[1])), Fraction(float(row[2]))
    exact = Fraction(10.1) + part * (Fraction(10.4) - Fraction(10.1))
    assert exact - Fraction(1, 10**14) < clock <= exact


def test_json(files, capsys):
    assert run(files, "--json", path="time,slide,hinge\n0,0,0\n1,1,0\n2,3,0") == 0
    found = json.loads(capsys.readouterr().out)
    contacts = found.pop("contacts")
    assert found == {"robot": "toy", "n_segments": 2, "n_checked": 2, "is_free": False}
    (contact,) = contacts
    assert (contact["segment"], contact["link"], contact["touches"]) == (1, "cart", "wall.obj")
    assert contact["status"] == "contact"
    assert contact["t"] <= TIME <= contact["t_upper"]
    assert contact["time"] == 1.0 + contact["t"]
    np.testing.assert_allclose(contact["points"], [[2, 0, 0]], atol=1e-5)
    np.testing.assert_allclose(contact["normals"], [[1, 0, 0]], atol=1e-5)


def test_json_of_a_free_path_and_of_the_first_contact(files, capsys):
    assert run(files, "--json", path="0,0\n1,0") == 0
    assert json.loads(capsys.readouterr().out) == {
        "robot": "toy",
        "n_segments": 1,
        "n_checked": 1,
        "is_free": True,
        "contacts": [],
    }
    assert run(files, "--json", "--first", path=PATH) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["n_segments"], found["n_checked"], len(found["contacts"])) == (3, 2, 1)
    assert found["contacts"][0]["time"] is None


def test_options_reach_the_query(files, capsys, monkeypatch):
    asked = []

    def first_contacts(a, b, **options):
        asked.append((sorted(b), options))
        return answer

    toy = fc.Robot.from_urdf(files / "toy.urdf")
    answer = fc.first_contacts(toy.moving([[0, 0]], [[1, 0]]), {})
    monkeypatch.setattr(fc, "first_contacts", first_contacts)
    options = ("--self-contact", "--tolerance=1e-3", "--min-separation=0.5", "--method=advancement")
    assert run(files, *options, path="0,0\n1,0", world=("wall.obj", "shelf.obj")) == 0
    chosen = {"self_contact": True, "tolerance": 1e-3, "min_separation": 0.5, "method": "advancement"}
    assert asked == [(["shelf.obj", "wall.obj"], chosen | {"executor": None})]


def test_a_separation_is_kept(files, capsys):
    assert run(files, "--min-separation", "0.5", path="0,0\n1.5,0") == 0
    assert float(capsys.readouterr().out.splitlines()[1].split()[1]) == pytest.approx(1.25 / 1.5, abs=1e-5)


def test_degrees(files, capsys):
    shelf = files / "shelf.obj"
    written(shelf, SHELF.replace(" 2\n", " -0.5\n"))  # the ball goes down to it when the arm has turned
    assert run(files, "--degrees", path="0,0\n0,90", world=["shelf.obj"]) == 0
    assert capsys.readouterr().out == "free: 1 segment, certified\n"
    assert run(files, "--degrees", path="0,0\n0,180", world=["shelf.obj"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[2:4] == ["arm", "shelf.obj"]


def test_links_that_touch_each_other(files, capsys):
    assert run(files, "--self-contact", path="0,0\n-3,0", world=()) == 0
    assert capsys.readouterr().out == "free: 1 segment, certified\n"  # joined: base and cart
    assert run(files, "--self-contact", path="-3,0\n-3,3.2", world=()) == 0
    assert "free" in capsys.readouterr().out
    assert run(files, "--self-contact", path="-2,-1\n-2,-2", world=()) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[2:4] == ["arm", "base"]
    pair = "<disable_collisions link1='arm' link2='base' reason='Never'/>"
    written(files / "toy.srdf", f"<robot name='toy'>{pair}</robot>")
    assert run(files, "--self-contact", "--srdf", str(files / "toy.srdf"), world=()) == 0
    assert capsys.readouterr().out == "free: 1 segment, certified\n"


def test_links_that_always_touch_may(files, capsys):
    near = collision("<sphere radius='0.3'/>", "<origin xyz='0 0 0.5'/>")
    parts = link("hand", near), joint("wrist", "revolute", "arm", "hand", "<limit lower='-1' upper='1'/>")
    written(files / "toy.urdf", URDF.replace("</robot>", "".join(parts) + "</robot>"))
    path, options = "0,0,0\n1,1,0", ("--self-contact", "--exit-code")
    assert run(files, *options, path=path, world=()) == CONTACT
    assert capsys.readouterr().out.splitlines()[1].split()[2:4] == ["hand", "cart"]
    assert run(files, *options, "--learn-allowed", world=()) == 0
    told = "firstcontact: links that always touch, and may: cart and hand\n"
    assert capsys.readouterr() == ("free: 1 segment, certified\n", told)


def test_learning_is_for_contacts_of_the_robot_with_itself(files, capsys):
    assert "of use with --self-contact only" in failure(capsys, files, "--learn-allowed")


def test_a_base_that_floats(files, capsys):
    ends = ("x", "y", "z", "qx", "qy", "qz", "qw")
    header = ",".join(["slide", "hinge", *(f"floating_base.{end}" for end in ends)])
    path = f"{header}\n0,0,0,0,0,0,0,0,1\n0,0,4,0,0,0,0,0,1\n"
    assert run(files, "--floating-base", path=path) == 0
    row = capsys.readouterr().out.splitlines()[1].split()
    assert row[2:4] == ["cart", "wall.obj"]
    assert float(row[1]) == pytest.approx(1.75 / 4, abs=1e-5)


def test_packages_are_found(files, capsys):
    mesh = collision("<mesh filename='package://toys/meshes/wall.obj'/>")
    written(files / "toy.urdf", URDF.replace("<link name='cart'>", f"<link name='cart'>{mesh}"))
    assert "missing mesh files: 'package://toys/meshes/wall.obj'" in failure(capsys, files)
    written(files / "share" / "toys" / "meshes" / "wall.obj", WALL)
    for folder in (str(files / "share"), f"toys={files / 'share' / 'toys'}"):
        assert run(files, "--package-dir", folder, path="0,0\n-1,0") == 0
        assert capsys.readouterr().err == ""
    assert "--package-dir must be DIR, or NAME=DIR" in failure(capsys, files, "--package-dir", "toys=", "x")
    written(files / "meshes" / "wall.obj", WALL)
    assert run(files, path="0,0\n-1,0") == 0
    told = f"there is no package 'toys', and {files} is taken for it; --package-dir tells where"
    assert told in capsys.readouterr().err


def test_meshes_outside_are_read_on_request_only(files, capsys):
    mesh = collision("<mesh filename='../outside.obj'/>")
    folder = files / "inside"
    written(folder / "toy.urdf", URDF.replace("<link name='cart'>", f"<link name='cart'>{mesh}"))
    written(files / "outside.obj", WALL)
    for name in ("wall.obj", "path.csv"):
        written(folder / name, (files / name).read_bytes())
    sentence = failure(capsys, folder)
    assert "the mesh file '../outside.obj' is outside of the robot's folder" in sentence
    assert sentence.rstrip().endswith("; --allow-outside reads it")
    assert run(folder, "--allow-outside", path="0,0\n-1,0") == 0
    capsys.readouterr()


def test_limits_are_told_on_request(files, capsys):
    assert run(files, path="0,0\n1,3") == 0
    assert capsys.readouterr().err == ""
    assert run(files, "--check-limits") == 0
    told = "firstcontact: joint 'hinge' is at 3 in configuration 1, beyond [-2, 2]\n"
    assert capsys.readouterr().err == told


def test_obstacles_of_the_same_name_are_told_apart(files, capsys):
    written(files / "other" / "wall.obj", SHELF)
    assert run(files, world=("wall.obj", "other/wall.obj")) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[3] == str(files / "wall.obj")
    assert "wall.obj is given twice" in failure(capsys, files, world=("wall.obj", "wall.obj"))


def test_one_inside_another_has_no_point(files, capsys):
    room = fc.Box([9.0, 9.0, 9.0]).mesh
    lines = [f"v {x} {y} {z}" for x, y, z in room.vertices.tolist()]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in room.faces.tolist()]
    written(files / "wall.obj", "\n".join(lines))
    assert run(files, path="0,0\n1,0") == 0
    assert capsys.readouterr().out.splitlines()[1].split()[:2] == ["0", "0.0"]


def failure(capsys, files, *options, **content):
    """Run a command that cannot be carried out, and give the one sentence that it says."""
    assert run(files, *options, **content) == FAILED
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert shown.err.startswith("firstcontact: ")
    return shown.err


def test_nothing_to_check_is_told(files, capsys):
    assert "nothing to check: give obstacles by --world" in failure(capsys, files, world=())


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("toy.urdf", "<robot", "toy.urdf is not XML"),
        ("toy.urdf", robot(link("only", collision())), "toy.urdf has no joint that moves"),
        ("toy.urdf", URDF.replace("type='revolute'", "type='magic'"), "toy.urdf"),
        ("toy.urdf", None, "there is no file"),
        ("wall.obj", "v 1 2\n", "wall.obj cannot be read"),
        ("wall.obj", "v 1 2 3\n", "wall.obj has no faces"),
        ("wall.obj", None, "there is no file"),
        ("path.csv", "slide,hinge\n1,x", "path.csv, line 2, column 'hinge': there must be a finite number"),
        ("path.csv", b"\xff\xfe\x00", "path.csv is not a text file"),
        ("path.csv", "", "path.csv has no configurations"),
        ("path.csv", None, "there is no file"),
    ],
)
def test_bad_files_are_told_in_one_sentence(files, capsys, name, content, told):
    if content is None:
        (files / name).unlink()
    else:
        written(files / name, content)
    assert told in failure(capsys, files)


def test_a_bad_srdf_is_told(files, capsys):
    assert "there is no file" in failure(capsys, files, "--srdf", str(files / "gone.srdf"))
    pair = "<disable_collisions link1='arm' link2='bass'/>"
    srdf = written(files / "toy.srdf", f"<robot name='toy'>{pair}</robot>")
    assert run(files, "--srdf", str(srdf), path="0,0\n-1,0") == 0
    assert "did you mean 'base'?; it is left out" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--min-separation=-1", "--tolerance=nan", "--method=guess"])
def test_bad_option_values_are_told(files, capsys, option):
    with pytest.raises(SystemExit) as caught:
        run(files, option)
    assert caught.value.code == FAILED
    assert option.partition("=")[0] in capsys.readouterr().err


@pytest.mark.shared_data
def test_a_real_robot_is_checked(shared_data, files, capsys):
    panda, srdf = (shared_data(f"robots/panda/panda.{end}") for end in ("urdf", "srdf"))
    real = fc.Robot.from_urdf(panda, srdf)
    path = np.linspace([0, -0.8, 0, -2.4, 0, 1.6, 0.8], [1.2, 0.2, 0, -1.8, 0, 1.6, 0.8], 9)
    np.savetxt(files / "panda.csv", path, delimiter=",", header=",".join(real.joint_names))
    options = ["--path", files / "panda.csv", "--srdf", srdf, "--self-contact", "--check-limits"]
    assert main([str(word) for word in ("robot", panda, *options)]) == 0
    assert capsys.readouterr() == ("free: 8 segments, certified\n", "")


def test_obstacles_are_all_that_is_taken_for_a_shape(files, capsys):
    written(files / "scan.xyz", "2 0 0\n9 9 9\n")
    fc.Compound([fc.Sphere(0.25).at((np.eye(3), [2, 0, 0])), fc.Sphere(1).at((np.eye(3), [9, 9, 9]))]).save(
        files / "shelf.npz"
    )
    shown = []
    for thing in (f"points:0.25,{files / 'scan.xyz'}", str(files / "shelf.npz"), "halfspace:-1,0,0,-1.75"):
        assert run(files, "--world", thing, path="0,0\n1.5,0", world=()) == 0
        shown.append(capsys.readouterr().out.splitlines()[1].split())
    assert [row[3] for row in shown] == ["scan.xyz", "shelf.npz/0", "halfspace:-1,0,0,-1.75"]
    assert max(float(row[1]) for row in shown) - min(float(row[1]) for row in shown) < 1e-5
    assert run(files, "--world", "points:gone.ply", world=()) == 2
    assert capsys.readouterr().err == "firstcontact: there is no file gone.ply\n"
