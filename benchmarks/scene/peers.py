"""The peers of the scene benchmark, which step the same bodies, each in a process of its own on one thread.

- rapier3d, `PhysicsWorld.step`: and of it, by its own clock, the broad phase (a tree of boxes).
- pybullet, `stepSimulation` and, without a step, `performCollisionDetection` (a tree of boxes).

Both look at the instant at the end of a frame and then push bodies apart; this library looks at all of the
frame and pushes nothing. Bodies have the same polytopes, places and velocities at the start, no gravity, no
friction, and bounce without loss; there are no walls.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from scene.cases import TURN, WARM_UP, Crowd, crowd

RAPIER_BROAD, RAPIER_STEP = "rapier3d, broad phase", "rapier3d, step"
BULLET_DETECT, BULLET_STEP = "pybullet, performCollisionDetection", "pybullet, stepSimulation"
PEERS = {"rapier3d": (RAPIER_BROAD, RAPIER_STEP), "pybullet": (BULLET_DETECT, BULLET_STEP)}
_LIMIT = 300.0  # seconds for a peer to make its bodies and to step them

_Step = Callable[[], dict[str, float]]


class Stepped(NamedTuple):
    """What a peer took: the call, the number of bodies, seconds a frame; a note where it failed."""

    method: str
    n_bodies: int
    seconds: float
    note: str = ""


def run_peer(package: str, n: int, n_frames: int) -> list[Stepped]:
    """Step n bodies in a new process."""
    if find_spec(package) is None:
        return [Stepped(method, n, float("nan"), f"{package} is missing") for method in PEERS[package]]
    command = [sys.executable, "-m", "scene.peers", json.dumps([package, n, n_frames])]
    try:
        worker = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_LIMIT)
        note = "" if worker.returncode == 0 else (worker.stderr.strip().splitlines() or ["crashed"])[-1]
    except subprocess.TimeoutExpired:
        note = "time limit"
    if note:
        return [Stepped(method, n, float("nan"), note) for method in PEERS[package]]
    medians = json.loads(worker.stdout.strip().splitlines()[-1])
    return [Stepped(method, n, medians[method]) for method in PEERS[package]]


def _rapier(bodies: Crowd) -> _Step:
    """A frame is a step of a unit of time."""
    import rapier3d as rapier

    world = rapier.PhysicsWorld(gravity=(0.0, 0.0, 0.0))
    world.set_num_threads(1)
    world.integration_parameters.dt = 1.0
    for i, kind in enumerate(bodies.kinds):
        body = rapier.RigidBody.dynamic(
            translation=_numbers(bodies.places[i]),
            linvel=_numbers(bodies.steps[i]),
            angvel=_numbers(TURN * bodies.axes[i]),
        )
        hull = rapier.Collider.convex_hull(bodies.polytopes[kind].astype(np.float32))
        world.add_body(body, colliders=[hull.friction(0.0).restitution(1.0)])
    world.physics_pipeline.counters.enable()

    def step() -> dict[str, float]:
        began = process_time()
        world.step()
        took = process_time() - began
        clock = world.physics_pipeline.counters.cd
        broad = 1e-3 * (clock.broad_phase_time_ms + clock.final_broad_phase_time_ms)
        return {RAPIER_STEP: took, RAPIER_BROAD: broad}

    return step


def _bullet(bodies: Crowd) -> _Step:
    """A frame is a step of the usual length, with velocities to match: it has absolute tolerances."""
    import pybullet as bullet

    bullet.connect(bullet.DIRECT)
    rate = 240.0
    bullet.setTimeStep(1.0 / rate)
    shapes = [
        bullet.createCollisionShape(bullet.GEOM_MESH, vertices=points.tolist()) for points in bodies.polytopes
    ]
    for i, kind in enumerate(bodies.kinds):
        body = bullet.createMultiBody(1.0, shapes[kind], basePosition=bodies.places[i].tolist())
        velocity, spin = rate * bodies.steps[i], rate * TURN * bodies.axes[i]
        bullet.resetBaseVelocity(body, velocity.tolist(), spin.tolist())
        bullet.changeDynamics(
            body, -1, lateralFriction=0.0, restitution=1.0, linearDamping=0.0, angularDamping=0.0
        )

    def step() -> dict[str, float]:
        began = process_time()
        bullet.stepSimulation()
        stepped = process_time()
        bullet.performCollisionDetection()
        return {BULLET_STEP: stepped - began, BULLET_DETECT: process_time() - stepped}

    return step


def _numbers(row: Any) -> tuple[float, ...]:
    return tuple(row.tolist())


MAKERS = {"rapier3d": _rapier, "pybullet": _bullet}


def _work(request: str) -> None:
    """The other process: one line of JSON, medians by method."""
    package, n, n_frames = json.loads(request)
    step = MAKERS[package](crowd(n))
    taken = [step() for _ in range(n_frames + WARM_UP)][WARM_UP:]
    print(json.dumps({method: float(np.median([one[method] for one in taken])) for method in taken[0]}))


if __name__ == "__main__":
    _work(sys.argv[1])
