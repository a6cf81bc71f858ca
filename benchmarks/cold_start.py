"""What a first query costs in a new process: with no machine code on disk (cold), with it (warm), or shipped.

Times are seconds of the processor from `import firstcontact` on (after numpy and numba), which a busy
machine does not stretch much. Cold is compilation: it happens once on a machine, and `firstcontact warmup`
does it for all queries at once. Shipped is the wheel with machine code that `make wheel` left in `dist`,
with no folder to write to. The budgets are 0.5 s to import, 15 s cold, and 1 s warm or shipped.
"""

import os
import subprocess
import sys
import tempfile
import zipfile
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from report.canvas import INK, SAND, SKY, TEAL, canvas
from report.section import Part, Picture, Run, Table, Target

TITLE = "Cold and warm start"

# What numpy and numba themselves cost to import is not ours to save, and differs between machines.
_SCRIPT = """
import time
import numba, numpy as np
started = time.process_time()
import firstcontact as fc
{query}
print(time.process_time() - started)
"""

_RANDOM = "start, end = np.random.default_rng(2).random((2, {size}, 4, 3))\nfc.{name}(start, end, {options})"
# At rest in one plane, touching: an exact tie.
_RESTING = (
    "start = np.array([[0, 0, 0], [2, 2, 4], [0, 2, 2], [2, 0, 2]]); fc.{name}(start, start, exact=True)"
)

# A crumpling sheet of 2 * side**2 triangles.
_SHEET = """
side = {side}
x, y = np.meshgrid(np.arange(side + 1.0), np.arange(side + 1.0), indexing="ij")
corner = np.arange((side + 1) ** 2).reshape(side + 1, side + 1)
a, b, c, d = (corner[i : i + side, j : j + side].ravel() for i, j in ((0, 0), (1, 0), (1, 1), (0, 1)))
start = np.stack([x, y, 0.1 * np.sin(x + y)], axis=-1).reshape(-1, 3)
end = start + np.random.default_rng(0).normal(0.0, 0.5, start.shape)
sheet = fc.Mesh(start, np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]))
assert fc.{query}
"""

# A tetrahedron that turns and falls on another.
_BODIES = """
points = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
body = fc.Mesh(points, [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]])
start, end = np.eye(4), np.diag([-1.0, -1, 1, 1])
start[2, 3] = 5
assert fc.{query}
"""

# A box and a ball that falls on it.
_SHAPES = """
box, ball, here = fc.Box([2, 2, 2]), fc.Sphere(1), np.eye(3)
falling = ball.moving((here, [0, 0, 5]), velocity=[0, 0, -9])
assert fc.{query}
"""

# An arm with a box, or a mesh, that swings past another.
_ROBOTS = """
body = fc.Box([0.2, 0.2, 1]){mesh}
robot = fc.Robot({{"base": (), "arm": body}}, [fc.Joint("hinge", "revolute", "base", "arm", axis=[0, 1, 0])])
assert fc.is_free(robot.moving([0], [1]), body.at((np.eye(3), [3, 0, 0])))
"""

_QUERIES = {
    "one vertex-face query": _RANDOM.format(size=1, name="vertex_face_ccd", options=""),
    "resting contact": _RESTING.format(name="edge_edge_ccd"),
    "contacts of a large mesh": _SHEET.format(side=60, query="contacts(sheet.deforming(start, end))"),
    "first contact of rigid bodies": _BODIES.format(query="first_contact(body.moving(start, end), body)"),
    "distance of rigid bodies": _BODIES.format(query="distance(body.at(start), body).distance > 0"),
    "distance of convex shapes": _SHAPES.format(query="distance(ball.at((here, [0, 0, 5])), box).distance"),
    "first contact in a scene": _SHAPES.format(query="Scene(box=box, ball=falling).first_contact()"),
    "a robot of convex shapes": _ROBOTS.format(mesh=""),
    "a robot of meshes": _ROBOTS.format(mesh=".mesh; body = fc.Mesh(body.vertices, body.faces[1:])"),
    "rays at a mesh": _BODIES.format(query="ray_cast(body, [0, 0, 9], [0, 0, -1]).hit"),
    "a safe step": _SHEET.format(side=6, query="safe_step(sheet.deforming(start, end)) < 1"),
}


_QUICK = (
    "one vertex-face query", "contacts of a large mesh", "first contact of rigid bodies",
    "distance of convex shapes", "a robot of convex shapes",
)  # fmt: skip
_IMPORT = "import time; import firstcontact; print(time.process_time())"
_BUDGETS = {"cold": 15.0, "warm": 1.0, "shipped": 1.0}

_DIST = Path(__file__).resolve().parents[1] / "dist"
_NO_WHEEL = "no wheel with machine code for this Python is in `dist`: `make wheel` builds one"


class Start(NamedTuple):
    """Seconds of a first query; none shipped where there is no such wheel."""

    query: str
    cold: float
    warm: float
    shipped: float | None


def starts(run: Run) -> Part:
    """First queries of each kind, and the import."""
    _cpu_seconds(_IMPORT)  # the first import may write byte code
    imported = min(_cpu_seconds(_IMPORT) for _ in range(3))
    with _shipped_package() as package:
        found = [_start(name, 2 if run.quick else 3, package) for name in (_QUICK if run.quick else _QUERIES)]
    lines = [("first query", "cold, s", "warm, s", "shipped, s")]
    lines += [(one.query, f"{one.cold:.1f}", f"{one.warm:.2f}", _shown(one.shipped)) for one in found]
    title = "Seconds of a first query in a new process"
    return Part(
        tables=(Table(title, lines),),
        pictures=(Picture("cold-start", title, _draw(found)),),
        targets=() if run.quick else tuple(_targets(found, imported)),
        notes=(
            f"`import firstcontact` in a new process, Python's own start included: {imported:.2f} s",
            *(() if package else (_NO_WHEEL,)),
        ),
        figures={"import": imported, "starts": found},
    )


def _shown(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.2f}"


def _start(name: str, repetitions: int, package: Path | None) -> Start:
    script = _SCRIPT.format(query=_QUERIES[name])

    def fastest(**environment: str) -> float:
        return min(_cpu_seconds(script, **environment) for _ in range(repetitions))

    with tempfile.TemporaryDirectory() as folder:
        cold = _cpu_seconds(script, NUMBA_CACHE_DIR=folder)
        warm = fastest(NUMBA_CACHE_DIR=folder)
    nowhere = f"{os.devnull}/none"
    shipped = fastest(NUMBA_CACHE_DIR=nowhere, PYTHONPATH=str(package)) if package else None
    return Start(name, cold, warm, shipped)


@contextmanager
def _shipped_package():
    """Unpack the newest wheel with machine code for this Python; None where there is none."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    wheels = sorted(_DIST.glob(f"firstcontact-*-{python}-*.whl"), key=lambda path: path.stat().st_mtime)
    if not wheels:
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(wheels[-1]).extractall(folder)
        yield Path(folder)


def _draw(found: list[Start]) -> Any:
    figure, [[axes]] = canvas(9, 0.9 + 0.6 * len(found))
    for shift, kind, color in ((-0.27, "cold", SKY), (0.0, "warm", TEAL), (0.27, "shipped", SAND)):
        values = [getattr(one, kind) for one in found if getattr(one, kind) is not None]
        places = [place + shift for place in range(len(values))]
        axes.barh(places, values, 0.25, color=color, label=kind)
        for place, value in zip(places, values, strict=True):
            axes.text(value, place, f" {value:.2g} s", va="center", fontsize=8, color=INK)
    axes.set_yticks(range(len(found)), [one.query for one in found])
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.margins(x=0.1)
    figure.legend(loc="outside upper right", frameon=False, fontsize=9, ncols=3)
    return figure


def _targets(found: list[Start], imported: float) -> list[Target]:
    reached = [Target("import in 0.5 s", f"{imported:.2f} s", imported <= 0.5)]
    for kind, budget in _BUDGETS.items():
        if getattr(found[0], kind) is None:
            continue
        slowest = max(found, key=lambda one: getattr(one, kind))
        taken = getattr(slowest, kind)
        text = f"{kind}: a first query in {budget:g} s"
        reached.append(Target(text, f"{taken:.1f} s at most ({slowest.query})", taken <= budget))
    return reached


def _cpu_seconds(script: str, **environment: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


PARTS = {"starts": starts}
