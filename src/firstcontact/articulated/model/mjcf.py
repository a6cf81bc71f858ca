"""Robots from MJCF files, compiled by MuJoCo: bodies as links, what may touch, keyframes as states."""

import warnings
from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from firstcontact._validate import as_flag, as_path
from firstcontact.arrays import Array
from firstcontact.articulated.model.joint import Joint
from firstcontact.articulated.model.mesh_places import FilePath
from firstcontact.articulated.model.mjcf_compiled import compiled
from firstcontact.articulated.model.mjcf_shapes import MjcfShapes, pose_of
from firstcontact.errors import MissingExtraError, RobotFileError
from firstcontact.shapes.moving import Moving

Links = dict[str, list[Moving]]
States = dict[str, dict[str, Any]]

# The state in which the file has the bodies.
REFERENCE = "reference"

NO_PLANE = (
    "the plane {name!r} has no bounds, and is left out: as an obstacle it is HalfSpace({normal}, {offset:g})"
)
NO_BOUNDS = "the plane {name!r} has no bounds, is on the body {body!r}, and is left out"


class MjcfRobot(NamedTuple):
    """A robot as its file describes it."""

    name: str
    links: Links
    joints: list[Joint]
    allowed: set[frozenset[str]]
    states: States


class Part(NamedTuple):
    """Geoms of a body that touch the same others: link, body, bits, and the geom if it is in pairs, or -1."""

    link: str
    body: int
    contype: int
    conaffinity: int
    geom: int


def read_mjcf(path: FilePath, hulls: bool) -> MjcfRobot:
    """Read the bodies, joints, geoms and keyframes of an MJCF file.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    RobotFileError
        MuJoCo cannot compile it, for the reason told; or a size or a place is beyond what there is here.
    """
    try:
        import mujoco
    except ImportError:
        raise MissingExtraError.of("mujoco", "mjcf") from None
    file, with_hulls = as_path("path", path), as_flag("hulls", hulls)
    if not file.is_file():
        raise FileNotFoundError(f"there is no file {file}")
    model = compiled(mujoco, file, 3)
    try:
        return _Reader(mujoco, model, str(file), with_hulls).robot()
    except (TypeError, ValueError) as error:
        raise RobotFileError(f"{file}: {error}") from None


class _Reader:
    def __init__(self, mujoco: Any, model: Any, file: str, hulls: bool) -> None:
        self._mujoco, self._model, self._file = mujoco, model, file
        self._shapes = MjcfShapes(mujoco, model, hulls)
        self._bodies = [self._name("BODY", i, "body") for i in range(model.nbody)]
        self._joint_names = [self._name("JOINT", i, "joint") for i in range(model.njnt)]
        firsts, seconds = np.asarray(model.pair_geom1), np.asarray(model.pair_geom2)
        self._pairs = {frozenset(pair) for pair in zip(firsts.tolist(), seconds.tolist(), strict=True)}
        signatures = np.asarray(model.exclude_signature).tolist()
        self._excluded = {frozenset((s >> 16, s & 0xFFFF)) for s in signatures}
        disabled = int(model.opt.disableflags) & int(mujoco.mjtDisableBit.mjDSBL_FILTERPARENT)
        self._filters_parents = disabled == 0
        self._links: Links = {name: [] for name in self._bodies}
        self._joints: list[Joint] = []
        self._parts: dict[int, list[Part]] = {body: [] for body in range(model.nbody)}

    def robot(self) -> MjcfRobot:
        """Gather all of it."""
        model = self._model
        for geom in range(model.ngeom):
            self._add_geom(geom)
        for body in range(1, model.nbody):
            self._add_body(body)
        parts = [part for own in self._parts.values() for part in own]
        if not parts:
            self._warn("there is no geom that can touch another")
        if getattr(model, "nflex", 0) > 0:
            self._warn("bodies that deform are not read")
        pairs = combinations(parts, 2)
        allowed = {frozenset((a.link, b.link)) for a, b in pairs if not self._can_touch(a, b)}
        name = bytes(model.names).split(b"\0", 1)[0].decode(errors="replace")
        return MjcfRobot(name or "robot", self._links, self._joints, allowed, self._states())

    def _add_geom(self, geom: int) -> None:
        """Put a geom on the link of its body that has what touches the same others."""
        model, body = self._model, int(self._model.geom_bodyid[geom])
        contype, conaffinity = int(model.geom_contype[geom]), int(model.geom_conaffinity[geom])
        is_in_pair = any(geom in pair for pair in self._pairs)
        if contype == conaffinity == 0 and not is_in_pair:  # it is only seen
            return
        if model.geom_type[geom] == self._mujoco.mjtGeom.mjGEOM_PLANE:
            self._warn_of_plane(geom, body)
            return
        bits, own = (body, contype, conaffinity, geom if is_in_pair else -1), self._parts[body]
        known = next((part for part in own if part[1:] == bits), None)
        if known is None:
            link = self._new_link(f"{self._bodies[body]}/{len(own)}") if own else self._bodies[body]
            if own:
                self._joints.append(Joint(f"{link} weld", "fixed", self._bodies[body], link))
            own.append(known := Part(link, *bits))
        pose = pose_of(model.geom_pos[geom], model.geom_quat[geom])
        self._links[known.link].append(self._shapes.shape(geom).at(pose))

    def _add_body(self, body: int) -> None:
        """Put a body on its parent: by its joints, one after the other, or by none."""
        model, name, above = self._model, self._bodies[body], int(self._model.body_parentid[body])
        parent, rest = self._bodies[above], pose_of(model.body_pos[body], model.body_quat[body])
        first = int(model.body_jntadr[body])
        joints = range(first, first + int(model.body_jntnum[body]))
        if not joints:
            if model.body_mocapid[body] >= 0:
                self._warn(f"the body {name!r} is moved by mocap; it stands where the file has it")
            self._joints.append(Joint(f"{name} weld", "fixed", parent, name, rest))
            return
        if any(self._can_touch(a, b) for a in self._parts[above][:1] for b in self._parts[body][:1]):
            stand = self._new_link(f"{name}/stand")  # links that a joint joins are never asked about
            self._joints.append(Joint(f"{stand} weld", "fixed", parent, stand))
            parent = stand
        for k in joints:
            anchor = np.eye(4)
            is_pivot = self._kind(k) in ("revolute", "ball")
            anchor[:3, 3] = model.jnt_pos[k] if is_pivot else 0.0
            is_last = k == joints[-1] and not anchor[:3, 3].any()
            child = name if is_last else self._new_link(f"{name}/{self._joint_names[k]}")
            self._joints.append(self._joint(k, (parent, child), rest @ anchor))
            parent, rest = child, pose_of(-anchor[:3, 3], [1, 0, 0, 0])
        if parent != name:
            self._joints.append(Joint(f"{name} weld", "fixed", parent, name, rest))

    def _joint(self, k: int, ends: tuple[str, str], origin: Array) -> Joint:
        """A joint whose value is zero where MuJoCo's is, which need not be where the bodies are drawn."""
        model, kind, name = self._model, self._kind(k), self._joint_names[k]
        if kind == "floating":  # its values say where the body is in the world
            return Joint(name, kind, *ends)
        if kind == "ball":
            return Joint(name, kind, *ends, origin)
        axis, limits = np.array(model.jnt_axis[k]), (-np.inf, np.inf)
        if model.jnt_limited[k]:
            limits = tuple(sorted(float(x) for x in model.jnt_range[k]))  # type: ignore[assignment]
        back = -float(model.qpos0[model.jnt_qposadr[k]])
        if kind == "prismatic":
            return Joint(name, kind, *ends, origin @ pose_of(back * axis, [1, 0, 0, 0]), axis, limits)
        turn = pose_of(np.zeros(3), [np.cos(back / 2), *(np.sin(back / 2) * axis)])
        return Joint(name, kind, *ends, origin @ turn, axis, limits)

    def _kind(self, k: int) -> str:
        kinds = self._mujoco.mjtJoint
        names = {kinds.mjJNT_HINGE: "revolute", kinds.mjJNT_SLIDE: "prismatic", kinds.mjJNT_BALL: "ball"}
        return {int(kind): name for kind, name in names.items()}.get(int(self._model.jnt_type[k]), "floating")

    def _can_touch(self, a: Part, b: Part) -> bool:
        """Does MuJoCo look for contacts of two parts?"""
        if frozenset((a.geom, b.geom)) in self._pairs:
            return True
        welds, parents = self._model.body_weldid, self._model.body_parentid
        one, other = int(welds[a.body]), int(welds[b.body])
        if one == other or frozenset((a.body, b.body)) in self._excluded:
            return False
        is_parent = (one != 0 and one == welds[parents[other]]) or (
            other != 0 and other == welds[parents[one]]
        )
        if is_parent and self._filters_parents:
            return False
        return bool(a.contype & b.conaffinity) or bool(b.contype & a.conaffinity)

    def _states(self) -> States:
        keys = range(self._model.nkey)
        named = {self._name("KEY", i, "key"): np.array(self._model.key_qpos[i]) for i in keys}
        rows = {REFERENCE: np.array(self._model.qpos0)} | named
        return {name: dict(self._values(q)) for name, q in rows.items()}

    def _values(self, q: Array) -> Iterator[tuple[str, Any]]:
        """Values of all joints; MuJoCo's quaternions begin with w."""
        for k, name in enumerate(self._joint_names):
            own, kind = q[int(self._model.jnt_qposadr[k]) :], self._kind(k)
            if kind == "ball":
                yield name, tuple(own[[1, 2, 3, 0]].tolist())
            elif kind == "floating":
                yield name, tuple(own[[0, 1, 2, 4, 5, 6, 3]].tolist())
            else:
                yield name, float(own[0])

    def _warn_of_plane(self, geom: int, body: int) -> None:
        name = self._name("GEOM", geom, "geom")
        if body != 0:
            self._warn(NO_BOUNDS.format(name=name, body=self._bodies[body]))
            return
        pose = pose_of(self._model.geom_pos[geom], self._model.geom_quat[geom])
        normal, offset = pose[:3, 2], float(pose[:3, 2] @ pose[:3, 3])
        listed = [round(float(x), 12) + 0.0 for x in normal]
        self._warn(NO_PLANE.format(name=name, normal=listed, offset=offset))

    def _name(self, what: str, i: int, word: str) -> str:
        kind = getattr(self._mujoco.mjtObj, f"mjOBJ_{what}")
        return self._mujoco.mj_id2name(self._model, kind, i) or f"{word} {i}"

    def _new_link(self, name: str) -> str:
        """Add a link, under a name that no other has."""
        while name in self._links:
            name += "'"
        self._links[name] = []
        return name

    def _warn(self, text: str) -> None:
        warnings.warn(f"{self._file}: {text}", stacklevel=5)
