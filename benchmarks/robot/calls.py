"""Ten robots among boxes, one call after the other: configurations and short paths, alone and in batches.

Processor time on one thread: medians of single calls, means of batches, and the first query of a robot that
was just read, compiler aside. Beside: pinocchio with coal, which looks at the meshes as they are, with all
pairs one after the other or with its tree of boxes; short paths by samples that differ by at most 0.01 rad.
And MuJoCo's collisions, where it reads the file: of hulls, and of the pairs that it filters itself.
"""

from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np

import firstcontact as fc
from report.remote import Remote, RemoteError
from report.section import Headline, Lines, Part, Run, Table, Target
from report.tables import milliseconds
from robot.cases import Numbers, RobotFiles, World, scene
from robot.many import Robot, joint_values, load, read, robot_files, world_around
from robot.own import _threads
from robot.peers import is_missing, samples

_STEP, _WAY = 0.01, 0.05  # radians between samples, and that a joint goes at most
_PATIENCE = 300.0
NAN = float("nan")


class Calls(NamedTuple):
    """Microseconds: of one configuration and of one path, alone; of each in a batch; NaN for none."""

    intersects: float
    is_free: float
    intersects_batch: float
    is_free_batch: float


class Row(NamedTuple):
    """What was measured of a robot; `first`: seconds of its first query, `same`: of answers that agree."""

    robot: str
    n_triangles: int
    n_pairs: int
    first: float
    own: Calls
    plain: Calls
    tree: Calls
    mujoco: float
    same: float
    fault: str = ""


def calls(run: Run) -> Part:
    """All robots."""
    files, notes = robot_files(run.data)
    n, rows = (40, list[Row]()) if run.quick else (200, list[Row]())
    for one in files[::3] if run.quick else files:
        with _threads(1):
            first = _first_query(one)
            rows.append(_measured(read(one), n)._replace(first=first))
    if is_missing():
        notes.append("pin or coal is missing")
    return Part(
        tables=(Table("Ten robots: microseconds of single calls", _lines(rows)),),
        headlines=tuple(_headlines(rows)),
        targets=() if run.quick else tuple(_targets(rows)),
        notes=(*notes, *(f"{row.robot}: {row.fault}" for row in rows if row.fault)),
        figures=[row._asdict() for row in rows],
    )


def _measured(one: Robot, n: int) -> Row:
    robot, world = one.robot, world_around(one)
    configurations = robot.sample(n, 1)
    rng = np.random.default_rng(2)
    ends = configurations + rng.uniform(-_WAY, _WAY, configurations.shape)
    obstacles = scene(world)
    meshes = [part.shape for part in robot.parts if isinstance(part.shape, fc.Mesh)]
    own, touching = _own(robot, obstacles, configurations, ends)
    n_pairs, n_triangles = len(one.pairs) + len(robot.parts) * len(obstacles), sum(x.n_faces for x in meshes)
    no_calls, mujoco = Calls(NAN, NAN, NAN, NAN), _mujoco(one.files.urdf)
    row = Row(one.files.name, n_triangles, n_pairs, NAN, own, no_calls, no_calls, mujoco, NAN)
    if is_missing():
        return row
    peer = Remote(_PATIENCE, Peer)
    try:
        where = dict(joint_values(robot, configurations)), dict(joint_values(robot, ends))
        plain, tree, theirs = peer.ask("measure", world, one.pairs, *where)
    except RemoteError as fault:
        return row._replace(fault=f"pinocchio: {fault}")
    finally:
        peer.close()
    return row._replace(plain=plain, tree=tree, same=float((theirs == touching).mean()))


def _first_query(files: RobotFiles) -> float:
    """Seconds of the first query of a robot, in which its meshes are prepared; compiler aside."""
    box = fc.Box([1, 1, 1])
    for shape in (box, fc.Mesh(box.mesh.vertices, box.mesh.faces[1:])):
        fc.intersects(fc.Robot({"base": shape}).at([]), box)
    robot, obstacle = load(files), fc.Box([0.1, 0.1, 0.1]).at([5.0, 5.0, 5.0])
    began = process_time()
    fc.intersects(robot.at(robot.sample(1)[0]), obstacle, self_contact=True)
    return process_time() - began


def _own(robot: Any, obstacles: Any, starts: Numbers, ends: Numbers) -> tuple[Calls, Numbers]:
    def look(q: Numbers) -> Any:
        return fc.intersects(robot.at(q), obstacles, self_contact=True)

    def go(q: Numbers, to: Numbers) -> Any:
        return fc.is_free(robot.moving(q, to), obstacles, self_contact=True)

    touching = look(starts)
    batches = [_least(lambda: look(starts)), _least(lambda: go(starts, ends))]
    alone = [_typical(look, starts), _typical(go, starts, ends)]
    return Calls(*alone, *(seconds / len(starts) * 1e6 for seconds in batches)), touching


def _typical(ask: Any, *ways: Numbers) -> float:
    """The median over all of the least of a few calls, in microseconds."""
    for way in zip(*ways, strict=True):
        ask(*way)
    return float(np.median([_least(lambda way=way: ask(*way)) for way in zip(*ways, strict=True)])) * 1e6


def _least(ask: Any, n: int = 5) -> float:
    seconds = []
    for _ in range(n):
        began = process_time()
        ask()
        seconds.append(process_time() - began)
    return min(seconds)


class Peer:
    """Pinocchio, in a process of its own."""

    def measure(
        self, world: World, pairs: Any, starts: dict[str, Numbers], ends: dict[str, Numbers]
    ) -> tuple[Calls, Calls, Numbers]:
        """Time calls, with all pairs one after the other and by a tree; and which configurations touch."""
        import pinocchio as pin

        files = world.robot
        model = pin.buildModelFromUrdf(str(files.urdf))
        folders = [str(files.package_dir), *map(str, files.urdf.parents[:3])]
        geometry = pin.buildGeomFromUrdf(model, str(files.urdf), pin.GeometryType.COLLISION, None, folders)
        _add_pairs(pin, model, geometry, world, pairs)
        data, held = model.createData(), geometry.createData()
        first, last = (_configurations(model, values) for values in (starts, ends))
        tree = pin.TreeBroadPhaseManager_DynamicAABBTreeCollisionManager(model, geometry, held)
        pool = pin.TreeBroadPhaseManagerPool_DynamicAABBTreeCollisionManager(model, geometry, 1)
        found = []
        for how in ((geometry, held), (tree,)):

            def look(q: Numbers, how: Any = how) -> bool:
                return bool(pin.computeCollisions(model, data, *how, q, True))

            def go(q: Numbers, to: Numbers, look: Any = look) -> bool:
                return any(map(look, samples(np.stack([q, to]), _STEP)))

            found.append(Calls(_typical(look, first), _typical(go, first, last), NAN, NAN))
        seconds = [
            _least(lambda: pin.computeCollisionsInParallel(1, pool, np.asfortranarray(first.T), True)),
            _least(lambda: _check_paths(pin, pool, first, last)),
        ]
        batch = dict(zip(Calls._fields[2:], [one / len(first) * 1e6 for one in seconds], strict=True))
        touching = np.array([pin.computeCollisions(model, data, geometry, held, q, True) for q in first])
        return found[0], found[1]._replace(**batch), touching


def _add_pairs(pin: Any, model: Any, geometry: Any, world: World, pairs: Any) -> None:
    """The same pairs as on our side."""
    from robot.peers import _solid

    links = [model.frames[one.parentFrame].name for one in geometry.geometryObjects]
    wanted = {frozenset(pair) for pair in pairs}
    for i, a in enumerate(links):
        for j in range(i):
            if frozenset((a, links[j])) in wanted:
                geometry.addCollisionPair(pin.CollisionPair(i, j))
    for obstacle in world.obstacles:
        solid = pin.GeometryObject(f"obstacle {obstacle.name}", 0, pin.SE3(obstacle.pose), _solid(obstacle))
        index = geometry.addGeometryObject(solid)
        for link in range(len(links)):
            geometry.addCollisionPair(pin.CollisionPair(link, index))


def _check_paths(pin: Any, pool: Any, starts: Numbers, ends: Numbers) -> None:
    given = pin.StdVec_MatrixXs()
    ways = zip(starts, ends, strict=True)
    given.extend([np.asfortranarray(samples(np.stack(way), _STEP).T) for way in ways])
    pin.computeCollisionsInParallel(1, pool, given, True)


def _configurations(model: Any, values: dict[str, Numbers]) -> Numbers:
    """Configurations in pinocchio's numbers: of a joint without limits, the cosine and the sine."""
    found = np.zeros((len(next(iter(values.values()))), model.nq))
    for k in range(1, model.njoints):
        at, value = model.idx_qs[k], values[model.names[k]]
        if model.nqs[k] == 1:
            found[:, at] = value
        else:
            found[:, at], found[:, at + 1] = np.cos(value), np.sin(value)
    return found


def _mujoco(urdf: Path) -> float:
    """Microseconds of MuJoCo's collisions in the reference configuration; NaN where it reads no such file."""
    try:
        import mujoco

        model = mujoco.MjModel.from_xml_path(str(urdf))
        data = mujoco.MjData(model)
    except (ImportError, ValueError):
        return NAN

    def look() -> None:
        mujoco.mj_kinematics(model, data)
        mujoco.mj_collision(model, data)

    return _least(look, 100) * 1e6


def _lines(rows: list[Row]) -> Lines:
    lines: Lines = [
        ("robot", "triangles", "pairs", "first query, s",
         "intersects", "pinocchio", "by its tree", "in a batch", "its tree",
         "is_free", "pinocchio", "by its tree", "in a batch", "its tree", "MuJoCo", "same answers")
    ]  # fmt: skip
    for row in rows:
        own, plain, tree = row.own, row.plain, row.tree
        cells = (
            own.intersects, plain.intersects, tree.intersects, own.intersects_batch, tree.intersects_batch,
            own.is_free, plain.is_free, tree.is_free, own.is_free_batch, tree.is_free_batch, row.mujoco,
        )  # fmt: skip
        texts = ("" if np.isnan(one) else f"{one:.1f}" for one in cells)
        same = "" if np.isnan(row.same) else f"{row.same:.1%}"
        lines.append(
            (row.robot, f"{row.n_triangles:,}", f"{row.n_pairs:,}", f"{row.first:.2f}", *texts, same)
        )
    return lines


def _headlines(rows: list[Row]) -> list[Headline]:
    found = [row for row in rows if not row.fault and not np.isnan(row.plain.intersects)]
    if not found:
        return []
    typical = [
        np.median([getattr(row, side).intersects for row in found]) * 1e-6 for side in ("own", "plain")
    ]
    what = f"one configuration of a robot among boxes, median of {len(found)} robots"
    return [Headline(what, typical[0], "pinocchio, coal: meshes, all pairs", typical[1])]


def _targets(rows: list[Row]) -> list[Target]:
    found = [Target("a first query of every robot within 2 s", f"{max(row.first for row in rows):.2f} s",
                    max(row.first for row in rows) <= 2.0)]  # fmt: skip
    known = [row for row in rows if not np.isnan(row.plain.intersects)]
    slower = [row.robot for row in known if row.own.intersects > row.plain.intersects]
    text = "one configuration of each robot: no slower than pinocchio, all pairs one after the other"
    typical = milliseconds(float(np.median([row.own.intersects for row in rows])) * 1e-6)
    reached = f"{len(known) - len(slower)} of {len(known)}, typically {typical} ms"
    return [*found, Target(text, reached, not slower)] if known else found
