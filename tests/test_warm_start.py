"""What a first query compiles is kept on disk: the next process compiles nothing."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.compiler

SCRIPT = """
import numpy as np
from numba.core import event
import firstcontact as fc

compiled = event.RecordingListener()
event.register("numba:compile", compiled)
points = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
body = fc.Mesh(points, [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]])
box, far = fc.Box([2, 2, 2]), (np.eye(3), [0, 0, 9])
arm = fc.Robot({{"base": (), "arm": box}}, [fc.Joint("slide", "prismatic", "base", "arm", far)])
{query}
print(*sorted({{str(one.data["dispatcher"].__name__) for _, one in compiled.buffer}}))
"""

QUERIES = {
    "elementary": "fc.vertex_face_ccd(points, points[::-1]); fc.edge_edge_ccd(points, points, exact=True)",
    "deforming": "sheet = body.deforming(points, points[::-1]); fc.contacts(sheet); fc.safe_step(sheet)",
    "rigid": "fc.first_contact(body.moving(far, velocity=[0, 0, -9]), body); fc.distance(body.at(far), body)",
    "convex": "fc.first_contact(box.moving(far, velocity=[0, 0, -9]), body); fc.penetration(box, box)",
    "scene": "fc.Scene(box=box.moving(far, velocity=[0, 0, -9]), body=body).first_contact()",
    "robot": "fc.is_free(arm.moving([0], [9]), box); fc.is_free(arm.moving([0], [9]), body)",
    "points": "fc.signed_distance(body, [0, 0, 9]); fc.contains(box, [0, 0, 9])",
    "neighbors": "fc.neighbors(points, 9, distances=True); fc.neighbors(points, 0, others=points)",
    "rays": "fc.ray_cast(body, [0, 0, 9], [0, 0, -1]); fc.ray_cast(box, [0, 0, 9], [0, 0, -1])",
}


def compiled(query):
    """The kernels that a new process compiles for a query, by name."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(query=query)], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.parametrize("name", QUERIES)
def test_second_process_compiles_nothing(name):
    compiled(QUERIES[name])
    assert compiled(QUERIES[name]) == []


def test_compilation_is_seen(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert compiled("fc.ray_cast(box, [0, 0, 9], [0, 0, -1])") != []
