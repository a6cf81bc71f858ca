"""Motion planning problems of a Panda: no segment is called free on which samples touch."""

import importlib.util
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import firstcontact as fc

pytest.importorskip("yaml")

pytestmark = pytest.mark.shared_data

STEP = 0.01  # radians between samples, of the joint that moves most
N_RANDOM, N_LOCAL = 16, 40
FAMILIES = (
    "bookshelf_small_panda", "bookshelf_tall_panda", "bookshelf_thin_panda", "box_panda", "cage_panda",
    "table_pick_panda", "table_under_pick_panda",
)  # fmt: skip


@pytest.fixture(scope="module")
def problems():
    """The benchmark's reader of problems."""
    path = Path(__file__).resolve().parents[2] / "benchmarks" / "robot" / "cases.py"
    spec = importlib.util.spec_from_file_location("robot_problems", path)
    module = sys.modules["robot_problems"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def panda(shared_data):
    return fc.Robot.from_urdf(
        shared_data("robots/panda/panda.urdf"), srdf=shared_data("robots/panda/panda.srdf")
    )


@pytest.fixture(scope="module", params=FAMILIES)
def worlds(request, problems, shared_data):
    folder = shared_data(f"robots/panda/problems/{request.param}")
    scenes = sorted(folder.glob("scene*.yaml"))
    return [problems.problem(path, path.with_name(path.name.replace("scene", "request"))) for path in scenes]


class Placed(NamedTuple):
    """A shape in n poses (or one), with a ball around it."""

    shape: fc.Box
    poses: np.ndarray
    centres: np.ndarray
    radius: float

    def near(self, other):
        """Where the balls meet."""
        return np.linalg.norm(self.centres - other.centres, axis=1) <= self.radius + other.radius

    def at(self, rows):
        return self.shape.at(self.poses[0] if len(self.poses) == 1 else self.poses[rows])


def placed(shape, poses):
    low, high = shape.bounds
    centres = poses[:, :3, :3] @ (0.5 * (low + high)) + poses[:, :3, 3]
    return Placed(shape, poses, centres, (1.0 + 1e-9) * 0.5 * np.linalg.norm(high - low))


def touch(a, b):
    rows = a.near(b)
    return bool(rows.any()) and bool(np.any(fc.intersects(a.at(rows), b.at(rows))))


def samples(start, end):
    n = max(int(np.ceil(np.abs(end - start).max() / STEP)), 1)
    return start + np.linspace(0.0, 1.0, n + 1)[:, np.newaxis] * (end - start)


def is_touching(robot, obstacles, configurations):
    """Does a link touch an obstacle, or a link that it may not touch, at any of the configurations?"""
    poses = robot.link_poses(configurations)
    links = {name: [] for name in robot.link_names}
    for part in robot.parts:
        links[part.link].append(placed(part.shape, poses[part.link] @ part.pose))
    if any(touch(a, b) for own in links.values() for a in own for b in obstacles):
        return True
    return any(touch(a, b) for one, other in robot.self_pairs for a in links[one] for b in links[other])


def segments(robot, world, seed):
    """The straight line from start to goal, random lines, and short ones."""
    rng = np.random.default_rng(seed)
    starts, ends = rng.uniform(*robot.limits.T, (2, N_RANDOM + N_LOCAL, robot.dof))
    ends[N_RANDOM:] = starts[N_RANDOM:] + rng.uniform(-0.5, 0.5, (N_LOCAL, robot.dof))
    return np.vstack([world.start, starts]), np.vstack([world.goal, ends])


def test_no_segment_is_free_where_samples_touch(problems, panda, worlds):
    assert len(worlds) == 3
    for seed, world in enumerate(worlds):
        obstacles = [
            placed(one.shape, one.pose(0.0)[np.newaxis]) for one in map(problems.shape, world.obstacles)
        ]
        starts, ends = segments(panda, world, seed)
        moving, scene = panda.moving(starts, ends), problems.scene(world)
        is_free = fc.is_free(moving, scene, self_contact=True)
        assert np.array_equal(is_free, fc.is_free(moving, scene, self_contact=True, method="advancement"))
        assert is_free.any()
        assert not is_free.all()
        for start, end in zip(starts[is_free], ends[is_free], strict=True):
            assert not is_touching(panda, obstacles, samples(start, end))


def test_starts_and_goals_touch_nothing_and_first_contacts_lie_between(problems, panda, worlds):
    for world in worlds:
        scene = problems.scene(world)
        for configuration in (world.start, world.goal):
            assert fc.is_free(panda.moving(configuration, configuration), scene, self_contact=True)
        found = fc.first_contact(panda.moving(world.start, world.goal), scene, self_contact=True)
        assert bool(found) != fc.is_free(panda.moving(world.start, world.goal), scene, self_contact=True)
        if found:
            before = samples(world.start, world.start + 0.999 * found.time * (world.goal - world.start))
            obstacles = [
                placed(one.shape, one.pose(0.0)[np.newaxis]) for one in map(problems.shape, world.obstacles)
            ]
            assert not is_touching(panda, obstacles, before)
