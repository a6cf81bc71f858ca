"""The wheel that carries machine code: installed where nothing can be kept, it answers at once."""

import ast
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import test_specialisations
import test_specialisations_of_robots
import test_specialisations_of_shapes
from firstcontact._object_code import needs_of
from one_signature import START as ALL_SORTS

pytestmark = pytest.mark.packaging

ROOT = Path(__file__).resolve().parents[2]

# As the compiler has it where no folder is writable, not even for the superuser.
NOWHERE = {"NUMBA_CACHE_DIR": f"{os.devnull}/none"}

KEPT = {key: value for key, value in os.environ.items() if key == "NUMBA_CACHE_DIR"}

HEAR = """
import numba, numpy as np
from numba.core import event
heard = event.RecordingListener()
event.register("numba:compile", heard)
"""

TELL = """
print(len(heard.buffer))
"""

sys.path.append(str(ROOT / "benchmarks"))


def first_queries():
    """The first queries of each kind that the benchmark of cold starts asks."""
    import cold_start

    return cold_start._QUERIES


KINDS = [
    "one vertex-face query", "resting contact", "contacts of a large mesh", "first contact of rigid bodies",
    "distance of rigid bodies", "distance of convex shapes", "first contact in a scene",
    "a robot of convex shapes", "a robot of meshes", "rays at a mesh", "a safe step",
]  # fmt: skip


def test_all_kinds_of_query_are_tried():
    assert set(KINDS) == set(first_queries())


@pytest.mark.parametrize("kind", KINDS)
def test_a_first_query_compiles_nothing(shipped, kind):
    script = f"{HEAR}import firstcontact as fc\n{first_queries()[kind]}{TELL}"
    assert shipped.python(script, **NOWHERE) == "0"


WHICH = """
print(*{one.data["dispatcher"].__name__ for _, one in heard.buffer})
"""

SORTS = {
    "meshes": test_specialisations.SCRIPT,
    "shapes": test_specialisations_of_shapes.SCRIPT,
    "robots": test_specialisations_of_robots.SCRIPT,
}


@pytest.mark.parametrize("sort", SORTS)
def test_queries_of_all_sorts_compile_nothing(shipped, sort):
    script = f"{HEAR}{ALL_SORTS}{SORTS[sort]}{WHICH}"
    assert shipped.python(script, **NOWHERE) == ""


ANSWERS = """
import hashlib
import numpy as np
import firstcontact as fc
rng, digest = np.random.default_rng(5), hashlib.sha256()
def note(*values):
    for value in values:
        digest.update(np.ascontiguousarray(value).tobytes())
start, end = rng.random((2, 3000, 4, 3))
for query in (fc.vertex_face_ccd, fc.edge_edge_ccd):
    found = query(start, end, exact=True)
    note(found.time, found.hit, query(start, end, min_separation=1e-2).time)
n = 300
soup = fc.Mesh(rng.random((n, 3)), rng.integers(0, n, (n, 3)))
moved = soup.vertices + 0.05 * rng.normal(size=(n, 3))
found = fc.contacts(soup.deforming(soup.vertices, moved))
note(found.time, found.points, found.normals, fc.safe_step(soup.deforming(soup.vertices, moved)))
turns = np.linalg.qr(rng.normal(size=(40, 3, 3)))[0]
turns *= np.sign(np.linalg.det(turns))[:, None, None]
poses = np.tile(np.eye(4), (40, 1, 1))
poses[:, :3, :3], poses[:, :3, 3] = turns, 3 * rng.normal(size=(40, 3))
shapes = fc.Box([1, 2, 3]), fc.Cylinder(0.5, 2), fc.ConvexHull(rng.normal(size=(60, 3))), fc.Sphere(1).mesh
for a in shapes:
    for b in shapes:
        note(fc.distance(a.at(poses), b).distance, fc.intersects(a.at(poses), b))
        note(fc.penetration(a.at(poses[:9]), b).depth)
        found = fc.first_contacts(a.moving(poses, poses[::-1]), b)
        note(found.time, found.time_upper)
    note(fc.ray_cast(a, poses[:, :3, 3], -poses[:, :3, 3]).time)
limb = fc.Capsule(0.03, 0.5).at((np.eye(3), [0, 0, 0.25]))
arm = fc.Robot({"base": (), "arm": limb}, [fc.Joint("hinge", "revolute", "base", "arm", axis=[0, 1, 0])])
table = fc.Box([1, 1, 0.1]).at((np.eye(3), [0.6, 0, 0.2]))
note(fc.is_free(arm.moving([0], rng.normal(size=(50, 1))), table))
print(digest.hexdigest())
"""


def test_shipped_and_compiled_code_give_the_same_bits(shipped):
    compiled = shipped.python(ANSWERS, FIRSTCONTACT_COMPILE="1", **KEPT)
    assert shipped.python(ANSWERS, **NOWHERE) == compiled


def written_drivers():
    """All functions with one of the decorators, by module and name."""
    for path in sorted((ROOT / "src" / "firstcontact").rglob("*.py")):
        module = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                names = {ast.unparse(one).partition("(")[0] for one in node.decorator_list}
                if names & {"driver", "brief_driver", "plain_driver"}:
                    yield module, node.name


def test_every_driver_is_in_the_pack(pack):
    assert {(entry.module, entry.name) for entry in pack.entries} == set(written_drivers())


def test_no_product_and_sum_are_fused(pack, tmp_path):
    """A fused operation rounds once: its answers would differ from those of another processor."""
    import capstone

    disassembler = {
        "x86_64": lambda: capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64),
        "aarch64": lambda: capstone.Cs(capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM),
        "arm64": lambda: capstone.Cs(capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM),
    }[pack.made.system.partition("-")[0]]()
    disassembler.skipdata = True
    seen = set()
    for entry in pack.entries:
        for text in texts_of(pack.code_of(entry)):
            seen |= {name for _, _, name, _ in disassembler.disasm_lite(text, 0)}
    assert {"vmulsd", "vaddsd"} <= seen or {"fmul", "fadd"} <= seen
    fused = ("vfmadd", "vfmsub", "vfnmadd", "vfnmsub", "fmadd", "fmsub", "fnmadd", "fnmsub", "fmla", "fmls")
    assert not [name for name in seen if name.startswith(fused)]


def texts_of(record):
    """The machine code in an object file."""
    import pickle

    from llvmlite import binding

    code = pickle.loads(record)[0]
    for section in binding.ObjectFileRef.from_data(code).sections():
        if section.is_text():
            yield section.data()


def test_what_the_code_needs_by_name_is_told(pack):
    assert set(pack.needed) == {name for entry in pack.entries for name in needs_of(pack.code_of(entry))}
    assert {"NRT_MemInfo_call_dtor", "PyErr_SetString"} <= set(pack.needed)


def test_the_wheel_is_for_this_interpreter_and_is_small(platform_wheel, archives, pack):
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert f"-{version}-{version}-" in platform_wheel.name
    with zipfile.ZipFile(platform_wheel) as wheel, zipfile.ZipFile(archives.wheel) as pure:
        more = {name for name in wheel.namelist() if ".dist-info/" not in name} - set(pure.namelist())
        assert more == {f"firstcontact/machine_code/{pack.path.name}"}
    assert platform_wheel.stat().st_size < 10e6


def test_pip_takes_it_rather_than_the_pure_one(fresh, platform_wheel, archives, tmp_path):
    for wheel in (platform_wheel, archives.wheel):
        (tmp_path / wheel.name).write_bytes(wheel.read_bytes())
    words = [
        "download",
        "--no-deps",
        "--no-index",
        "--find-links",
        str(tmp_path),
        "--dest",
        str(tmp_path / "d"),
    ]
    done = fresh.run("python", "-m", "pip", *words, "firstcontact")
    assert done.returncode == 0, done.stderr
    assert [path.name for path in (tmp_path / "d").iterdir()] == [platform_wheel.name]


def said(environment, **variables):
    done = environment.run("firstcontact", "info", **variables)
    assert (done.returncode, done.stderr) == (0, "")
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("machine code"))
    return line.removeprefix("machine code").strip()


def test_info_says_what_is_used_and_why(shipped, fresh, pack):
    assert said(fresh) == "compiled here when first used; none was installed"
    assert said(shipped).startswith("installed for ")
    assert said(shipped).endswith(f", {len(pack.entries)} functions, all used")
    not_used = "compiled here when first used; not what was installed: FIRSTCONTACT_COMPILE is set"
    assert said(shipped, FIRSTCONTACT_COMPILE="1") == not_used


def test_a_command_answers_where_nothing_can_be_kept(shipped):
    ball = ["check", "sphere:1", "box:2,2,2", "--start-a", "0,0,4", "--end-a", "0,0,-4"]
    done = shipped.run("firstcontact", *ball, **NOWHERE)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_folder_without_packs_is_told_of(tmp_path):
    build = [sys.executable, "-m", "build", "--outdir", str(tmp_path), "--wheel", str(ROOT)]
    environment = os.environ | {"FIRSTCONTACT_PACKS": str(tmp_path)}
    done = subprocess.run(build, check=False, capture_output=True, text=True, env=environment)
    assert done.returncode != 0
    assert "there is no pack in" in done.stdout + done.stderr
