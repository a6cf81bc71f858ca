"""The wheel in an environment of its own, outside the checkout, without extras."""

import ast
import os

import pytest

pytestmark = pytest.mark.packaging

# Some queries share the machine code of the checkout, which is the same: compiling all would take minutes.
# Where machine code is kept, and for which processor: what other tests compiled is found.
KEPT = {key: value for key, value in os.environ.items() if key.startswith(("NUMBA_CACHE_", "NUMBA_CPU_"))}

START = """
import numpy as np
import firstcontact as fc
points = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
body = fc.Mesh(points, [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]])
falling = ((np.eye(3), [0, 0, 4]), (np.eye(3), [0, 0, -4]))
"""

COMPILED = """
triangle = [[-1, -1, 0], [2, 0, 0], [0, 2, 0]]
assert fc.vertex_face_ccd([[0, 0, 1], *triangle], [[0, 0, -1], *triangle]).hit
"""

QUERIES = {
    "rigid": """
assert fc.distance(body.at(falling[0]), body).distance > 1
hit = fc.first_contact(body.moving(*falling), body)
assert hit.time <= 0.25 <= hit.time_upper
""",
    "cloth": "assert fc.contacts(body.deforming(points, -points))",
    "convex": "assert fc.first_contact(fc.Sphere(1).moving(*falling), fc.Box([2, 2, 2])).time <= 0.25",
    "scene": "assert fc.Scene(ball=fc.Sphere(1).moving(*falling), box=fc.Box([2, 2, 2])).first_contact()",
    "robot": """
slide = fc.Joint("slide", "prismatic", "base", "hand", axis=[0, 0, 1])
robot = fc.Robot({"base": (), "hand": fc.Sphere(1)}, [slide])
assert not fc.is_free(robot.moving([4], [-4]), fc.Box([2, 2, 2]))
""",
}

# What needs an extra, the module that is missing, and the extra's name.
MISSING = [
    ("fc.plot(body.moving(*falling))", "matplotlib", "view"),
    ("fc.show(body.moving(*falling), 'page.html')", "k3d", "view"),
    ("fc.load('arm.dae')", "pycollada", "robots"),
]

MISSING_COMMANDS = [
    (["check", "arm.dae", "sphere:1"], "pycollada", "robots"),
    (["check", "box:1,1,1", "sphere:1", "--start-b", "9,0,0", "--view", "page.html"], "k3d", "view"),
    (["view", "box:1,1,1"], "k3d", "view"),
    (["demo"], "k3d", "view"),
]

USER = """
import numpy as np
from typing import assert_type
import firstcontact as fc

box = fc.Box([1, 1, 1])
hit = fc.first_contact(box.moving(np.eye(4), velocity=[4, 0, 0]), box.at((np.eye(3), [3, 0, 0])))
assert_type(hit, fc.FirstContact)
assert_type(hit.time, float)
print(hit.tiem)
"""


@pytest.fixture(scope="module")
def arm(fresh):
    """A robot's file and a path."""
    links = '<link name="base"/><link name="arm"/>'
    joint = '<joint name="hinge" type="continuous"><parent link="base"/><child link="arm"/></joint>'
    (fresh.folder / "arm.urdf").write_text(f'<robot name="arm">{links}{joint}</robot>')
    (fresh.folder / "path.csv").write_text("0\n1\n")


def test_it_is_the_installed_package(fresh):
    assert str(fresh.folder) in fresh.python("import firstcontact; print(firstcontact.__file__)")


def test_importing_it_loads_nothing_heavy(fresh):
    loaded = set(ast.literal_eval(fresh.python("import sys, firstcontact; print(list(sys.modules))")))
    assert not loaded & {"numpy", "numba", "scipy", "trimesh", "tqdm", "k3d", "matplotlib", "collada"}
    assert len([name for name in loaded if name.startswith("firstcontact")]) == 1


def test_importing_it_takes_less_than_half_a_second(fresh):
    script = "import time; t = time.process_time(); import firstcontact; print(time.process_time() - t)"
    assert min(float(fresh.python(script)) for _ in range(3)) < 0.5


@pytest.mark.parametrize("name", QUERIES)
def test_queries_work(fresh, name):
    assert fresh.python(START + QUERIES[name], **KEPT) == ""  # it asserts by itself, and says nothing


def test_queries_are_compiled_and_kept_beside_the_package(fresh):
    fresh.python(START + COMPILED)
    assert list(fresh.folder.rglob("site-packages/firstcontact/__pycache__/kernels-*/*.code"))


@pytest.mark.parametrize(("call", "module", "extra"), MISSING)
def test_a_missing_extra_is_named(fresh, arm, call, module, extra):
    script = f"{START}\ntry:\n    {call}\nexcept fc.MissingExtraError as error:\n    print(error)"
    assert fresh.python(script, **KEPT) == sentence(module, extra)


@pytest.mark.parametrize(("words", "module", "extra"), MISSING_COMMANDS, ids=str)
def test_a_command_names_a_missing_extra_in_one_line(fresh, arm, words, module, extra):
    done = fresh.run("firstcontact", *words, **KEPT)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.strip() == f"firstcontact: {sentence(module, extra)}"


def sentence(module, extra):
    return f"{module} is missing: `pip install 'firstcontact[{extra}]'` installs it"


@pytest.mark.parametrize("words", [["--help"], ["info"], ["check", "--help"]])
def test_a_command_tells_of_itself(fresh, words):
    done = fresh.run("firstcontact", *words)
    assert (done.returncode, done.stderr) == (0, "")
    assert "firstcontact" in done.stdout


def test_a_command_answers(fresh):
    ball = ["check", "sphere:1", "box:2,2,2", "--start-a", "0,0,4", "--end-a", "0,0,-4"]
    done = fresh.run("firstcontact", *ball, "--exit-code", **KEPT)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("contact at t = 0.2")


def test_a_command_tells_of_a_missing_file_in_one_line(fresh):
    done = fresh.run("firstcontact", "check", "none.obj", "sphere:1")
    assert done.returncode == 2
    assert done.stderr.startswith("firstcontact: ")
    assert done.stderr.count("\n") == 1


def test_type_checkers_see_the_types(fresh):
    from mypy import api

    (fresh.folder / "user.py").write_text(USER)
    options = ["--strict", "--python-executable", str(fresh.scripts / "python"), "--cache-dir"]
    said, _, _ = api.run([*options, str(fresh.folder / "mypy"), str(fresh.folder / "user.py")])
    lines = [line for line in said.splitlines() if "error:" in line]
    assert len(lines) == 1, said
    assert '"FirstContact" has no attribute "tiem"' in lines[0]
