"""Wrong input of every kind in every place of every public function and method.

What is tried: a call that is right, with one or two of its arguments replaced by something that nobody asked
for. The referee is the rule of the border: an answer, or an exception of a documented type that this package
raises itself, in one line; and what has masked numbers is never taken.
"""

import os
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import trimesh

import firstcontact as fc
from border import fault_of
from rarer_calls import RARER, Call
from rarer_calls import many as _many
from rarer_calls import method as _method
from wrong_values import FACES, FAR, MASKED, POINTS, WRONG, Make, a_hold, a_mesh, a_robot, a_scene, an_answer

SECONDS_A_CASE = 30.0


_OPTIONS = {"tolerance": _many(None), "min_separation": _many(0.0), "method": _many(None)}
_FLAGS = {"self_contact": _many(False), "progress": _many(False)}
_RIGID = _OPTIONS | {"max_iterations": _many(None), "solid": _many(False)} | _FLAGS
_DEFORMING = {"exact": _many(True), "culling": _many(None), "assume_free_start": _many(False)}
_FALLING: dict[str, Make] = {
    "a": lambda: fc.Sphere(1).moving(FAR, velocity=[0, 0, -9]),
    "b": lambda: fc.Box([1, 1, 1]),
}
_BODIES: dict[str, Make] = {"a": lambda: a_mesh().at(FAR), "b": a_mesh}
_CLOTH: dict[str, Make] = {"a": lambda: a_mesh().deforming(POINTS, POINTS - [0, 0, 4]), "b": a_mesh}
_ROBOT: dict[str, Make] = {"a": lambda: a_robot().moving([0.0], [1.0]), "b": lambda: fc.Sphere(1)}
_ELEMENTARY: dict[str, Make] = {
    "start": lambda: POINTS,
    "end": lambda: POINTS[::-1],
    "exact": _many(False),
    "time_tolerance": _many(1e-9),
    "min_separation": _many(0.0),
    "max_time": _many(1.0),
}
_RAYS: dict[str, Make] = {
    "shape": a_mesh,
    "origins": lambda: [0.0, 0, 9],
    "directions": lambda: [0.0, 0, -1],
    "hits": _many("first"),
    "max_time": _many(np.inf),
}
_MOVING: dict[str, Make] = {
    "self": a_mesh,
    "start": lambda: FAR,
    "end": _many(None),
    "path": _many("constant"),
    "center": _many(None),
    "velocity": lambda: [0.0, 0, -9],
    "angular_velocity": lambda: [0.0, 1, 0],
}
_ASKED = {"self": a_scene, "min_separation": _many(0.0), "tolerance": _many(None)}
_SEARCHED = _ASKED | {"assume_free_start": _many(False)}
_JOINT: dict[str, Make] = {
    "name": _many("joint"),
    "kind": _many("revolute"),
    "parent": _many("base"),
    "child": _many("arm"),
    "origin": lambda: FAR,
    "axis": lambda: [0.0, 0, 1],
    "limits": lambda: (-1.0, 1.0),
    "mimic": lambda: ("other", 1.0, 0.0),
}
_WORDS: dict[str, Make] = {"title": _many(None), "names": dict}


def _scene_of(bodies: Any, broad_phase: Any) -> fc.Scene:
    return fc.Scene(bodies, broad_phase=broad_phase)


def _shown(what: Any, path: Any, **words: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        fc.show(what, Path(folder, path) if isinstance(path, str) and len(path) < 99 else path, **words)


def _plotted(**given: Any) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    try:
        fc.plot(**given)
    finally:
        pyplot.close("all")


def _about(a: Any, b: Any) -> Any:
    return a_scene().contacts().between(a, b)


# Every public function, and every method that takes something: what is right, argument by argument.
CALLS: dict[str, Call] = {
    "Box": (fc.Box, {"extents": lambda: [1.0, 2, 3]}),
    "Capsule": (fc.Capsule, {"radius": _many(1.0), "length": _many(2.0)}),
    "ConvexHull": (fc.ConvexHull, {"points": lambda: POINTS, "flat": _many(False)}),
    "Culling": (
        fc.Culling,
        {
            "dop": _many(16),
            "triangle_bounds": _many(True),
            "representatives": _many(True),
            "feature_bounds": _many(True),
            "normal_cones": _many(True),
            "non_penetration": _many(True),
        },
    ),
    "Cylinder": (fc.Cylinder, {"radius": _many(1.0), "length": _many(2.0)}),
    "Ellipsoid": (fc.Ellipsoid, {"radii": lambda: [1.0, 2, 3]}),
    "HeightField": (fc.HeightField, {"heights": lambda: np.zeros((3, 4)), "spacing": lambda: [1.0, 1.0]}),
    "Joint": (fc.Joint, _JOINT),
    "Mesh": (fc.Mesh, {"vertices": lambda: POINTS, "faces": lambda: FACES}),
    "Mesh.from_trimesh": (fc.Mesh.from_trimesh, {"mesh": trimesh.creation.box}),
    "Mesh.deforming": (
        _method("deforming"),
        {"self": a_mesh, "vertices_t0": lambda: POINTS, "vertices_t1": lambda: POINTS},
    ),
    "Moving": (fc.Moving, {"shape": a_mesh, "motion": lambda: a_mesh().at(FAR).motion}),
    "Moving.pose": (_method("pose"), {"self": _FALLING["a"], "t": _many(0.5)}),
    "Moving.vertices": (_method("vertices"), {"self": _CLOTH["a"], "t": _many(0.5)}),
    "Robot": (
        fc.Robot,
        {
            "links": lambda: {"base": (), "arm": fc.Sphere(1), "hand": ()},
            "joints": lambda: [fc.Joint("slide", "prismatic", "base", "arm"), a_hold()],
            "allowed_pairs": lambda: [("base", "arm")],
            "name": _many("robot"),
        },
    ),
    "Robot.from_urdf": (
        fc.Robot.from_urdf,
        {
            "path": _many("nowhere.urdf"),
            "srdf": _many(None),
            "package_dirs": _many(()),
            "floating_base": _many(False),
        },
    ),
    "Robot.allow": (_method("allow"), {"self": a_robot, "a": _many("base"), "b": _many("arm")}),
    "Robot.along": (
        _method("along"),
        {
            "self": a_robot,
            "waypoints": lambda: [[0.0], [1.0]],
            "times": lambda: [0, 1],
            "warn_limits": _many(False),
        },
    ),
    "Robot.at": (_method("at"), {"self": a_robot, "q": lambda: [0.5], "warn_limits": _many(False)}),
    "Robot.attach": (
        _method("attach"),
        {
            "self": a_robot,
            "link": _many("hand"),
            "shape": lambda: fc.Sphere(1),
            "pose": lambda: FAR,
            "name": _many("load"),
            "touching": _many(("base",)),
        },
    ),
    "Robot.learn_allowed_pairs": (
        _method("learn_allowed_pairs"),
        {"self": a_robot, "n_samples": _many(5), "seed": _many(0)},
    ),
    "Robot.link_poses": (_method("link_poses"), {"self": a_robot, "q": lambda: [0.5]}),
    "Robot.moving": (
        _method("moving"),
        {"self": a_robot, "q0": lambda: [0.5], "q1": lambda: [[1.0], [2.0]], "warn_limits": _many(False)},
    ),
    "Robot.sample": (_method("sample"), {"self": a_robot, "n": _many(3), "seed": _many(0)}),
    "Scene": (
        _scene_of,
        {"bodies": dict, "broad_phase": _many("auto")},
    ),
    "Scene.add": (
        lambda self, bodies, thing: self.add(bodies, thing),
        {"self": a_scene, "bodies": _many("new"), "thing": lambda: fc.Sphere(1)},
    ),
    "Scene.update": (
        lambda self, bodies: self.update(bodies),
        {"self": a_scene, "bodies": lambda: {"ball": fc.Sphere(2)}},
    ),
    "Scene.remove": (lambda self, name: self.remove(name), {"self": a_scene, "name": _many("ball")}),
    "Scene.move": (
        _method("move"),
        {
            "self": a_scene,
            "which": lambda: ["ball", "box"],
            "start": lambda: FAR,
            "end": _many(None),
            "velocity": lambda: [0.0, 0, 1],
            "angular_velocity": lambda: [0.0, 1, 0],
        },
    ),
    "Scene.ignore": (_method("ignore"), {"self": a_scene, "a": _many("ball"), "b": _many("box")}),
    "Scene.consider": (_method("consider"), {"self": a_scene, "a": _many("ball"), "b": _many("box")}),
    "Scene.ignore_group": (
        lambda self, a, b: self.ignore_group(a, b),
        {"self": a_scene, "a": _many("ball"), "b": _many("box")},
    ),
    "Scene.pairs": (_method("pairs"), _ASKED),
    "Scene.pair_ids": (_method("pair_ids"), _ASKED),
    "Scene.first_contact": (_method("first_contact"), _SEARCHED),
    "Scene.contacts": (_method("contacts"), _SEARCHED),
    "Scene.safe_step": (_method("safe_step"), _SEARCHED),
    "Scene.__getitem__": (lambda self, name: self[name], {"self": a_scene, "name": _many("ball")}),
    "Scene.__contains__": (lambda self, name: name in self, {"self": a_scene, "name": _many("ball")}),
    "SceneContacts.between": (_about, {"a": _many("ball"), "b": _many("box")}),
    "Shape.at": (_method("at"), {"self": lambda: fc.Sphere(1), "pose": lambda: FAR}),
    "Shape.at with a pair": (
        lambda self, rotation, translation: self.at((rotation, translation)),
        {"self": lambda: fc.Sphere(1), "rotation": lambda: np.eye(3), "translation": lambda: [1.0, 2, 3]},
    ),
    "Shape.moving": (_method("moving"), _MOVING),
    "Shape.moving to an end": (
        _method("moving"),
        _MOVING | {"end": lambda: np.eye(4), "velocity": _many(None), "angular_velocity": _many(None)},
    ),
    "Shape.along": (
        _method("along"),
        {
            "self": lambda: fc.Sphere(1),
            "poses": lambda: np.stack([FAR, np.eye(4), FAR]),
            "times": lambda: [0, 0.5, 1],
            "path": _many("constant"),
            "center": _many(None),
        },
    ),
    "contacts": (
        fc.contacts,
        _CLOTH | _DEFORMING | {k: _ELEMENTARY[k] for k in ("time_tolerance", "min_separation")},
    ),
    "distance": (fc.distance, _BODIES | {"solid": _many(False), "self_contact": _many(False)}),
    "distance of a robot": (fc.distance, {"a": lambda: a_robot().at([0.0]), "b": a_mesh}),
    "edge_edge_ccd": (fc.edge_edge_ccd, _ELEMENTARY),
    "first_contact": (fc.first_contact, _FALLING | _RIGID | _DEFORMING),
    "first_contact of bodies": (fc.first_contact, _BODIES | _RIGID),
    "first_contact of cloth": (fc.first_contact, _CLOTH | _RIGID | _DEFORMING),
    "first_contact of a robot": (fc.first_contact, _ROBOT | _RIGID | _DEFORMING),
    "first_contacts": (fc.first_contacts, _FALLING | _RIGID),
    "first_contacts of a robot": (fc.first_contacts, _ROBOT | _RIGID),
    "intersects": (fc.intersects, _BODIES | {"solid": _many(False), "self_contact": _many(False)}),
    "is_free": (fc.is_free, _FALLING | _OPTIONS | _FLAGS),
    "is_free of a robot": (fc.is_free, _ROBOT | _OPTIONS | _FLAGS),
    "load": (fc.load, {"path": _many("nowhere.obj")}),
    "penetration": (fc.penetration, _BODIES),
    "penetration of shapes": (fc.penetration, {"a": lambda: fc.Sphere(1), "b": lambda: fc.Box([1, 1, 1])}),
    "plot": (
        _plotted,
        {"what": an_answer, "time": _many(None), "ax": _many(None), "ghosts": _many(True)} | _WORDS,
    ),
    "ray_cast": (fc.ray_cast, _RAYS),
    "ray_cast at a shape": (fc.ray_cast, _RAYS | {"shape": lambda: fc.Capsule(1, 2)}),
    "safe_step": (fc.safe_step, _CLOTH | _RIGID | _DEFORMING),
    "safe_step of a robot": (fc.safe_step, _ROBOT | _RIGID | _DEFORMING),
    "show": (_shown, {"what": an_answer, "path": _many("page.html")} | _WORDS),
    "vertex_face_ccd": (fc.vertex_face_ccd, _ELEMENTARY),
    **RARER,
}


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Choose a call, and what goes wrong in it."""
    call = str(rng.choice(list(CALLS)))
    places = [place for place in CALLS[call][1] if place != "self"]
    n = min(int(rng.choice([1, 1, 1, 2])), len(places))
    chosen = rng.choice(places, n, replace=False)
    return {"call": call, "wrong": {str(place): str(rng.choice(list(WRONG))) for place in chosen}}


def check(case: dict[str, Any]) -> str | None:
    """Call it; say what is wrong with what leaves."""
    function, right = CALLS[case["call"]]
    made = {place: make_it() for place, make_it in right.items()}
    made |= {place: WRONG[name]() for place, name in case["wrong"].items()}
    if "function" in case["wrong"] and callable(made["function"]):
        return None  # what a user's own function raises is the user's to see
    where = Path.cwd()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UserWarning)  # limits that are passed, and what NumPy says of masks
        os.chdir(folder)
        try:
            function(**made)
        except Exception as error:
            return fault_of(error)
        finally:
            os.chdir(where)
    if len(case["wrong"]) == 1 and set(case["wrong"].values()) <= set(MASKED) and _wants_numbers(case):
        return "masked numbers are taken"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Leave one of the wrong things out."""
    if len(case["wrong"]) > 1:
        for place, name in case["wrong"].items():
            yield {"call": case["call"], "wrong": {place: name}}


def _wants_numbers(case: dict[str, Any]) -> bool:
    """Is what is right here an array, or a list of numbers, of this shape?"""
    (place,) = case["wrong"]
    return np.shape(CALLS[case["call"]][1][place]()) == POINTS.shape
