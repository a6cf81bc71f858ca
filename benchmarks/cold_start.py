"""Cold and warm start: what a first query costs in a new process, with no machine code on disk and with it.

Times are CPU seconds of the process from `import firstcontact` on (after numpy and numba), which
a busy machine does not stretch much. The budgets are 0.5 s to import, 15 s cold and 1 s warm.
"""

import os
import subprocess
import sys
import tempfile

from machine import described, machine
from tables import aligned
from tqdm import tqdm

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


_IMPORT = "import time; import firstcontact; print(time.process_time())"


def main() -> None:
    """Measure and print the table."""
    _cpu_seconds(_IMPORT)  # the first import may write byte code
    lines = [("first query", "cold, s", "warm, s")]
    for name, query in tqdm(_QUERIES.items(), disable=None):
        script = _SCRIPT.format(query=query)
        with tempfile.TemporaryDirectory() as folder:
            cold = _cpu_seconds(script, NUMBA_CACHE_DIR=folder)
            warm = min(_cpu_seconds(script, NUMBA_CACHE_DIR=folder) for _ in range(3))
        lines.append((name, f"{cold:.1f}", f"{warm:.2f}"))
    print(aligned(lines, 1))
    print(f"import: {min(_cpu_seconds(_IMPORT) for _ in range(3)):.2f} s")
    print(described(machine()))


def _cpu_seconds(script: str, **environment: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


if __name__ == "__main__":
    main()
