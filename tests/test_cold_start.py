"""Cold start is a feature with a budget, measured in CPU time, which a busy machine does not stretch much."""

import os
import subprocess
import sys

import pytest

IMPORT_BUDGET = 0.5
COLD_BUDGET = 15.0
# A query about meshes is five in one: bounds, trees, regions, every stage of the elementary test, geometry.
MESH_COLD_BUDGET = 40.0
# Trees of volumes, the search, the proof and what touches: each has the distance of triangles in it.
BODY_COLD_BUDGET = 30.0
WARM_BUDGET = 1.0

# What numpy and numba themselves cost to import is not ours to save, and differs between machines.
SCRIPT = """
import time
import numba, numpy as np
started = time.process_time()
import firstcontact as fc
{query}
print(time.process_time() - started)
"""

RANDOM = "start, end = np.random.default_rng(2).random((2, {size}, 4, 3))\nfc.{name}(start, end, {options})"
# At rest in one plane, touching: an exact tie.
RESTING = (
    "start = np.array([[0, 0, 0], [2, 2, 4], [0, 2, 2], [2, 0, 2]]); fc.{name}(start, start, exact=True)"
)

# A crumpling sheet of 2 * side**2 triangles.
SHEET = """
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
BODIES = """
points = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
body = fc.Mesh(points, [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]])
start, end = np.eye(4), np.diag([-1.0, -1, 1, 1])
start[2, 3] = 5
assert fc.{query}
"""

# A box and a ball that falls on it.
SHAPES = """
box, ball, here = fc.Box([2, 2, 2]), fc.Sphere(1), np.eye(3)
falling = ball.moving((here, [0, 0, 5]), velocity=[0, 0, -9])
assert fc.{query}
"""

QUERIES = {
    "one vertex-face query": RANDOM.format(size=1, name="vertex_face_ccd", options=""),
    "resting contact": RESTING.format(name="edge_edge_ccd"),
    "contacts of a large mesh": SHEET.format(side=60, query="contacts(sheet.deforming(start, end))"),
    "first contact of rigid bodies": BODIES.format(query="first_contact(body.moving(start, end), body)"),
    "distance of rigid bodies": BODIES.format(query="distance(body.at(start), body).distance > 0"),
    "distance of convex shapes": SHAPES.format(query="distance(ball.at((here, [0, 0, 5])), box).distance"),
    "first contact in a scene": SHAPES.format(query="Scene(box=box, ball=falling).first_contact()"),
    "rays at a mesh": BODIES.format(query="ray_cast(body, [0, 0, 9], [0, 0, -1]).hit"),
    "a safe step": SHEET.format(side=6, query="safe_step(sheet.deforming(start, end)) < 1"),
}


def cpu_seconds(script: str, **environment: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


def test_import():
    script = "import time; import firstcontact; print(time.process_time())"
    cpu_seconds(script)  # the first import may write byte code
    assert min(cpu_seconds(script) for _ in range(3)) < IMPORT_BUDGET


@pytest.mark.parametrize("name", QUERIES)
def test_first_query(tmp_path, name):
    script = SCRIPT.format(query=QUERIES[name])
    cache = str(tmp_path)
    budgets = {"sheet": MESH_COLD_BUDGET, "body": BODY_COLD_BUDGET, "fc": COLD_BUDGET}
    budget = next(value for word, value in budgets.items() if word in script)
    assert cpu_seconds(script, NUMBA_CACHE_DIR=cache) < budget
    assert min(cpu_seconds(script, NUMBA_CACHE_DIR=cache) for _ in range(2)) < WARM_BUDGET
