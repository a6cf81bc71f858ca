"""The worlds of the robot benchmark: motion planning problems of a Panda, and boxes around a UR5e.

The problems are MotionBenchMaker's: a YAML file for the obstacles (boxes, cylinders and spheres) and one for
the joints at the start and at the goal, as MoveIt writes them.
"""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import firstcontact as fc

Numbers = npt.NDArray[np.float64]

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
FAMILIES = (
    "bookshelf_small_panda", "bookshelf_tall_panda", "bookshelf_thin_panda", "box_panda", "cage_panda",
    "table_pick_panda", "table_under_pick_panda",
)  # fmt: skip
PANDA, UR5E = "panda", "ur5e"
_N_BOXES = 20  # around a robot
_REACH = 0.95  # metres from its base within which boxes stand, and how near they may
_NEAR = 0.35


class Obstacle(NamedTuple):
    """A box (size), a cylinder (height and radius, along z) or a sphere (radius), and its pose (4, 4)."""

    name: str
    kind: str
    dimensions: tuple[float, ...]
    pose: Numbers


class RobotFiles(NamedTuple):
    """Where a robot is described; `package_dir` holds its packages."""

    name: str
    urdf: Path
    srdf: Path | None
    package_dir: Path


class World(NamedTuple):
    """A robot, what stands around it, and where it is to go from and to, if that is known."""

    robot: RobotFiles
    family: str
    name: str
    obstacles: tuple[Obstacle, ...]
    start: Numbers | None = None
    goal: Numbers | None = None


def panda(data: Path = DATA) -> RobotFiles:
    """Seven joints; the fingers are fixed."""
    folder = data / "robots" / "panda"
    return RobotFiles(PANDA, folder / "panda.urdf", folder / "panda.srdf", folder)


@cache
def ur5e(data: Path = DATA) -> RobotFiles:
    """Six joints; its package has another name than its folder, which a link makes up for."""
    folder = data / "robots" / "ur5e"
    packages = TemporaryDirectory()
    (Path(packages.name) / "ur_description").symlink_to(folder, target_is_directory=True)
    _kept.append(packages)
    return RobotFiles(UR5E, folder / "ur5e.urdf", None, Path(packages.name))


_kept: list[TemporaryDirectory[str]] = []  # removed when the process ends


def panda_worlds(data: Path = DATA, families: tuple[str, ...] = FAMILIES) -> list[World]:
    """All problems of the families that are there."""
    folder = data / "robots" / "panda" / "problems"
    scenes = [path for family in families for path in sorted((folder / family).glob("scene*.yaml"))]
    return [problem(path, path.with_name(path.name.replace("scene", "request"))) for path in scenes]


def problem(scene: Path, request: Path) -> World:
    """One problem: its obstacles, its start and its goal, joints in the robot's order."""
    files = panda(scene.parents[4])
    joints = [f"panda_joint{k}" for k in range(1, 8)]
    asked = _read(request)
    state = asked["start_state"]["joint_state"]
    start = dict(zip(state["name"], state["position"], strict=True))
    constraints = asked["goal_constraints"][0]["joint_constraints"]
    goal = {one["joint_name"]: one["position"] for one in constraints}
    ends = [np.array([values[name] for name in joints], np.float64) for values in (start, goal)]
    family, name = scene.parent.name, scene.stem.removeprefix("scene")
    return World(files, family.removesuffix("_panda"), name, _obstacles(_read(scene)), *ends)


def _read(path: Path) -> Any:
    import yaml

    return yaml.load(path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def _obstacles(scene: dict[str, Any]) -> tuple[Obstacle, ...]:
    found = []
    for one in scene["world"]["collision_objects"]:
        parts = list(zip(one["primitives"], one["primitive_poses"], strict=True))
        for k, (primitive, placed) in enumerate(parts):
            name = one["id"] if len(parts) == 1 else f"{one['id']} {k}"
            pose = _pose(placed["position"], placed["orientation"])
            found.append(Obstacle(name, primitive["type"], tuple(map(float, primitive["dimensions"])), pose))
    return tuple(found)


def _pose(position: list[float], quaternion: list[float]) -> Numbers:
    """The matrix of a position and a quaternion (x, y, z, w)."""
    x, y, z, w = np.asarray(quaternion, np.float64) / np.linalg.norm(quaternion)
    pose = np.eye(4)
    pose[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    pose[:3, 3] = position
    return pose


def ur5e_worlds(n: int, data: Path = DATA, seed: int = 0) -> list[World]:
    """Random boxes around it."""
    return box_worlds(ur5e(data), n, seed)


def box_worlds(robot: RobotFiles, n: int, seed: int = 0, n_boxes: int = _N_BOXES) -> list[World]:
    """Random boxes around a robot, turned at random, none at its base."""
    rngs = [np.random.default_rng([seed, k]) for k in range(n)]
    return [World(robot, "boxes", f"{k:04d}", _boxes(rng, n_boxes)) for k, rng in enumerate(rngs)]


def _boxes(rng: np.random.Generator, n_boxes: int) -> tuple[Obstacle, ...]:
    found: list[Obstacle] = []
    while len(found) < n_boxes:
        place = rng.uniform(-_REACH, _REACH, 3)
        size = rng.uniform(0.03, 0.3, 3)
        if _NEAR + 0.5 * np.linalg.norm(size) < np.linalg.norm(place) < _REACH:
            name = f"box {len(found)}"
            found.append(
                Obstacle(name, "box", tuple(size.tolist()), _pose(place.tolist(), rng.normal(size=4)))
            )
    return tuple(found)


def shape(obstacle: Obstacle) -> Any:
    """The obstacle as this library's shape, in its place."""
    if obstacle.kind == "box":
        return fc.Box(obstacle.dimensions).at(obstacle.pose)
    if obstacle.kind == "cylinder":
        height, radius = obstacle.dimensions
        return fc.Cylinder(radius, height).at(obstacle.pose)
    return fc.Sphere(*obstacle.dimensions).at(obstacle.pose)


def scene(world: World) -> fc.Scene:
    """All obstacles."""
    return fc.Scene({one.name: shape(one) for one in world.obstacles})


def random_segments(limits: Numbers, n: int, seed: int = 0) -> Numbers:
    """Straight lines between configurations that are uniform within the limits, (n, 2, dof)."""
    return np.random.default_rng(seed).uniform(*limits.T, (n, 2, len(limits)))


def local_segments(starts: Numbers, limits: Numbers, largest: float = 0.5, seed: int = 0) -> Numbers:
    """Steps of up to `largest` a joint, as planners extend a tree by, within the limits, (n, 2, dof)."""
    steps = np.random.default_rng(seed).uniform(-largest, largest, starts.shape)
    return np.stack([starts, np.clip(starts + steps, *limits.T)], axis=1)
