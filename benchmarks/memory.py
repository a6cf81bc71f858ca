"""Peak memory of typical tasks, each in a process of its own, beside a peer's process with the same task.

It is the most that a process ever held: Python, libraries, machine code and the data of the task included.
Of this library, that of numba, whose compiler is loaded even where the machine code is on disk, as it is
here, is told apart; while it compiles, a process holds more.
"""

import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from report.canvas import INK, RUST, TEAL, canvas
from report.section import Part, Picture, Run, Table

TITLE = "Peak memory"
OWN = "firstcontact"
_HERE = Path(__file__).resolve().parent
_PATIENCE = 300.0  # seconds for a task
_ALONE = {"Python and numpy alone": "", "Python, numpy and numba alone": "import numba"}

# The data are made in another process, and read from a file: what makes them is no part of a peak.
_MAKE = "import pickle, sys; sys.path.insert(0, {here!r})\n{data}\npickle.dump(data, open({file!r}, 'wb'))"
_ASK = """import pickle, sys; sys.path.insert(0, {here!r})
import numpy as np
data = pickle.load(open({file!r}, 'rb'))
{script}
from report.peak import peak_bytes
print(peak_bytes())
"""
_QUERIES = "import numpy as np; data = np.random.default_rng(0).random((2, {size}, 4, 3))"
_CLOTH = "from deformable.cases import cloth_over_ball; [data] = cloth_over_ball({size})"
_BODY = "from rigid.models import organic_body; data = organic_body({size})"
_CROWD = "from scene.cases import crowd; data = crowd({size})"


class Task(NamedTuple):
    """A task of some size, quick and in full; what makes its data, and what each package does with them."""

    name: str
    sizes: tuple[int, int]
    data: str
    scripts: dict[str, str]


class Peak(NamedTuple):
    """Bytes that a package held at most in a task; none, and why."""

    task: str
    package: str
    peak: int
    error: str = ""


_TASKS = (
    Task("{size:,} random elementary queries", (500_000, 2_000_000), _QUERIES, {
        OWN: "import firstcontact as fc\nfc.vertex_face_ccd(*data)",
    }),
    Task("contacts of a cloth, {size:,} triangles", (92_000, 300_000), _CLOTH, {
        OWN: "import firstcontact as fc\n"
        "fc.contacts(fc.Mesh(data.start, data.faces).deforming(data.start, data.end))",
        "ipctk": "import ipctk\nipctk.set_num_threads(2)\n"
        "mesh = ipctk.CollisionMesh(data.start, ipctk.edges(data.faces), data.faces)\n"
        "ipctk.compute_collision_free_stepsize("
        "mesh, data.start, data.end, 0.0, ipctk.LBVH(), ipctk.AdditiveCCD())",
    }),
    Task("distance of two bodies, {size:,} triangles each", (100_000, 300_000), _BODY, {
        OWN: "import firstcontact as fc\na, b = fc.Mesh(*data), fc.Mesh(*data)\n"
        "fc.distance(a.at((np.eye(3), [5.0, 0, 0])), b)",
        "python-fcl": "import fcl\nfrom rigid.peers import fcl_object\n"
        "a, b = fcl_object(data), fcl_object(data)\n"
        "a.setTransform(fcl.Transform(np.eye(3), np.array([5.0, 0, 0])))\n"
        "fcl.distance(a, b, fcl.DistanceRequest(), fcl.DistanceResult())",
        "coal": "import coal\nfrom rigid.peers import coal_tree\n"
        "a, b = coal_tree(*data), coal_tree(*data)\n"
        "here, there = coal.Transform3s(), coal.Transform3s(np.eye(3), np.array([5.0, 0, 0]))\n"
        "coal.distance(a, there, b, here, coal.DistanceRequest(), coal.DistanceResult())",
    }),
    Task("a frame of {size:,} bodies", (10_000, 20_000), _CROWD, {
        OWN: "from scene.own import scene_of\nscene_of(data).contacts()",
        "rapier3d": "from scene.peers import MAKERS\nMAKERS['rapier3d'](data)()",
        "pybullet": "from scene.peers import MAKERS\nMAKERS['pybullet'](data)()",
    }),
)  # fmt: skip
_MODULES = {"python-fcl": "fcl"}


def tasks(run: Run) -> Part:
    """All tasks."""
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "data.pickle")
        found = [
            one for name, script in _ALONE.items() for one in _peaks(name, "data = 0", {"": script}, file)
        ]
        for task in _TASKS:
            size = task.sizes[0] if run.quick else task.sizes[1]
            found += _peaks(task.name.format(size=size), task.data.format(size=size), task.scripts, file)
    title = "Peak memory, MB; shorter is better"
    return Part(
        tables=(Table("Peak memory", _lines(found), 2),),
        pictures=(Picture("peak-memory", title, _draw(found)),),
        figures=found,
    )


def _peaks(task: str, data: str, scripts: dict[str, str], file: str) -> list[Peak]:
    """All packages with one task."""
    making = _MAKE.format(here=str(_HERE), data=data, file=file)
    subprocess.run([sys.executable, "-c", making], check=True, capture_output=True)
    found = []
    for package, script in scripts.items():
        text = _ASK.format(here=str(_HERE), script=script, file=file)
        found.append(_peak(Peak(task, package, 0), [sys.executable, "-c", text]))
    return found


def _peak(none: Peak, command: list[str]) -> Peak:
    """Run a script; of this library twice, since the first may compile."""
    module = _MODULES.get(none.package, none.package)
    if module and find_spec(module) is None:
        return none._replace(error=f"{none.package} is missing")
    for _ in range(2 if none.package == OWN else 1):
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            return none._replace(error="time limit")
    if done.returncode:
        return none._replace(error=(done.stderr.strip().splitlines() or ["crashed"])[-1])
    return none._replace(peak=int(done.stdout.splitlines()[-1]))


def _lines(found: list[Peak]) -> list[tuple[str, ...]]:
    own = {one.task: one.peak for one in found if one.package == OWN}
    lines: list[tuple[str, ...]] = [("task", "package", "MB", "÷ firstcontact")]
    named = ""
    for one in found:
        ratio = one.peak / own[one.task] if own.get(one.task) and one.peak and one.package != OWN else 0.0
        cells = one.error or f"{one.peak / 1e6:,.0f}", f"{ratio:.2f}" if ratio else ""
        lines.append((one.task if one.task != named else "", one.package, *cells))
        named = one.task
    return lines


def _draw(found: list[Peak]) -> Any:
    shown = [one for one in found if one.peak]
    figure, [[axes]] = canvas(9, 0.6 + 0.32 * len(shown))
    for place, one in enumerate(shown):
        axes.barh(place, one.peak / 1e6, 0.7, color=RUST if one.package not in ("", OWN) else TEAL)
        axes.text(one.peak / 1e6, place, f" {one.peak / 1e6:,.0f}", va="center", fontsize=8, color=INK)
    labels = [f"{one.task}: {one.package}" if one.package else one.task for one in shown]
    axes.set_yticks(range(len(shown)), labels)
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.margins(x=0.08)
    return figure


PARTS = {"tasks": tasks}
