"""Calls of rarer things that are right, argument by argument: for the family of wrong inputs."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import firstcontact as fc
from wrong_values import FAR, POINTS, Make, a_mesh, a_scene

Call = tuple[Callable[..., Any], dict[str, Make]]

COUNTS = [3, 1]
CORNERS = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
FULL = np.ones((2, 1, 1), bool)


def many(value: Any) -> Make:
    """Make the same each time."""
    return lambda: value


def method(name: str) -> Callable[..., Any]:
    """Call a method by name: its object is no argument that anybody replaces."""
    return lambda self, *rest, **named: getattr(self, name)(*rest, **named)


@cache
def a_field() -> fc.DistanceField:
    """Make a small one, once."""
    return fc.DistanceField.of(fc.Sphere(1), tolerance=0.2)


def a_compound() -> fc.Compound:
    """Make a small one."""
    return fc.Compound([fc.Sphere(1), fc.Box([1, 1, 1]).at(FAR)])


def a_resting_scene() -> fc.Scene:
    """Bodies that stand still."""
    return fc.Scene(box=fc.Box([1, 1, 1]), ball=fc.Sphere(0.5).at(FAR))


def a_robot() -> fc.Robot:
    """One hinge."""
    hinge = fc.Joint("hinge", "revolute", "base", "arm", axis=[0, 1, 0])
    return fc.Robot({"base": (), "arm": fc.Sphere(0.1)}, [hinge])


def a_tracker() -> fc.Tracker:
    """Make a small one."""
    return fc.Tracker(fc.Box([1, 1, 1]), a_mesh())


def a_diagram() -> fc.Voronoi:
    """Make a small one."""
    return fc.voronoi([[0.0, 0], [1, 1]], [[0.0, 0], [1, 2]], 4)


def _field_contacts() -> fc.FieldContacts:
    found: Any = fc.contacts(fc.Points(POINTS), a_field(), within=2.0)
    return found


_OVER_TIME: dict[str, Make] = {
    "a": lambda: fc.Sphere(1).moving(FAR, velocity=[0, 0, -9]),
    "b": lambda: fc.Box([1, 1, 1]),
    "tolerance": many(0.1),
    "solid": many(False),
    "self_contact": many(False),
}
_BODIES: dict[str, Make] = {"a": lambda: a_mesh().at(FAR), "b": a_mesh}
_POSES: dict[str, Make] = {"pose_a": lambda: FAR, "pose_b": lambda: np.eye(4)}
_SHAPES: dict[str, Call] = {
    "Compound": (fc.Compound, {"parts": lambda: [fc.Sphere(1), fc.Box([1, 1, 1]).at(FAR)]}),
    "Compound.part_of": (method("part_of"), {"self": a_compound, "ids": many(0), "feature": many("face")}),
    "Cone": (fc.Cone, {"radius": many(1.0), "height": many(2.0)}),
    "ConvexSupport": (
        fc.ConvexSupport,
        {"function": many(lambda ways: np.linalg.norm(ways, axis=1)), "tolerance": many(0.2)},
    ),
    "HalfSpace": (fc.HalfSpace, {"normal": lambda: [0.0, 0, 1], "offset": many(0.5)}),
    "HalfSpace.patch": (
        method("patch"),
        {"self": lambda: fc.HalfSpace([0, 0, 1]), "size": many(2.0), "around": lambda: [1.0, 2, 3]},
    ),
    "Points": (fc.Points, {"positions": lambda: POINTS, "radius": many(0.1)}),
    "Points.deforming": (
        method("deforming"),
        {"self": lambda: fc.Points(POINTS), "vertices_t0": lambda: POINTS, "vertices_t1": lambda: -POINTS},
    ),
    "Polygon": (fc.Polygon, {"outline": lambda: CORNERS, "holes": lambda: [0.5 * CORNERS]}),
    "Polyline": (
        fc.Polyline,
        {"points": lambda: CORNERS, "counts": lambda: [3, 1], "closed": many(True)},
    ),
    "Polyline.at": (method("at"), {"self": lambda: fc.Polyline(CORNERS), "pose": lambda: np.eye(3)}),
    "Polyline.moving": (
        method("moving"),
        {
            "self": lambda: fc.Polyline(CORNERS),
            "start": lambda: np.eye(3),
            "velocity": lambda: [1.0, 2.0],
            "angular_velocity": many(1.5),
            "acceleration": lambda: [1.0, 2.0],
            "center": lambda: [0.5, 0.0],
            "path": many("constant"),
        },
    ),
    "Polyline.along": (
        method("along"),
        {
            "self": lambda: fc.Polyline(CORNERS),
            "poses": lambda: np.tile(np.eye(3), (2, 1, 1)),
            "times": lambda: [0.0, 1.0],
        },
    ),
    "Polygon.deforming": (
        method("deforming"),
        {
            "self": lambda: fc.Polygon(CORNERS),
            "vertices_t0": lambda: CORNERS,
            "vertices_t1": lambda: -CORNERS,
        },
    ),
    "Rounded": (fc.Rounded, {"shape": lambda: fc.Box([1, 1, 1]), "radius": many(0.1)}),
    "Strands": (fc.Strands, {"positions": lambda: POINTS, "counts": many(COUNTS), "radius": many(0.1)}),
    "Voxels": (fc.Voxels, {"occupied": many(FULL), "size": many(0.5), "origin": lambda: [1.0, 2, 3]}),
    "Voxels.of": (
        fc.Voxels.of,
        {"shape": a_mesh, "size": many(0.5), "origin": lambda: [1.0, 2, 3], "solid": many(False)},
    ),
    "Shape.sphere_tree": (
        method("sphere_tree"),
        {"self": a_mesh, "levels": many(2), "method": many("octree"), "progress": many(False)},
    ),
}
_FIELDS: dict[str, Call] = {
    "DistanceField.of": (
        fc.DistanceField.of,
        {
            "shape": lambda: fc.Sphere(1),
            "tolerance": many(0.2),
            "margin": many(None),
            "max_cells": many(100_000),
            "progress": many(False),
        },
    ),
    "DistanceField.offset": (method("offset"), {"self": a_field, "distance": many(0.1)}),
    "DistanceField.union": (
        method("union"),
        {"self": a_field, "other": a_field, "tolerance": many(0.2)},
    ),
    "DistanceField.gradient": (method("gradient"), {"self": a_field, "points": lambda: POINTS}),
    "DistanceField.mesh": (method("mesh"), {"self": a_field, "level": many(0.0)}),
    "DistanceField.load": (fc.DistanceField.load, {"file": many("nowhere.npz")}),
    "FieldContacts.penalty": (
        method("penalty"),
        {"self": _field_contacts, "stiffness": many(2.0), "gain": many(None)},
    ),
    "contacts with a field": (
        fc.contacts,
        {"a": lambda: fc.Points(POINTS), "b": a_field, "within": many(0.5)},
    ),
}
_MOTIONS: dict[str, Call] = {
    "Spline": (fc.Spline, {"times": lambda: [0, 0.5, 1], "poses": lambda: np.stack([FAR, np.eye(4), FAR])}),
    "motion": (
        fc.motion,
        {
            "function": many(lambda t: (t, 0, 0)),
            "acceleration_bound": many(None),
            "angular_velocity_bound": many(None),
            "angular_acceleration_bound": many(None),
        },
    ),
    "trapezoidal": (
        fc.trapezoidal,
        {"waypoints": lambda: [[0.0], [1.0]], "max_velocity": many(1.0), "max_acceleration": many(1.0)},
    ),
    "Shape.moving by quaternions": (
        method("moving"),
        {
            "self": a_mesh,
            "start": lambda: FAR,
            "end": lambda: np.eye(4),
            "path": many("quaternion"),
            "center": many(None),
            "acceleration": many(None),
        },
    ),
    "Shape.moving, thrown": (
        method("moving"),
        {
            "self": a_mesh,
            "start": lambda: FAR,
            "velocity": lambda: [0.0, 0, -9],
            "acceleration": lambda: [0.0, 0, -9],
        },
    ),
}
_QUERIES: dict[str, Call] = {
    "candidates": (
        fc.candidates,
        {
            "a": a_mesh,
            "b": a_mesh,
            "inflate": many(0.1),
            "min_separation": many(0.01),
            "assume_free_start": many(True),
            "max_pairs": many(1000),
        },
    ),
    "clearance": (fc.clearance, _OVER_TIME | {"max_iterations": many(None)}),
    "contact_intervals": (fc.contact_intervals, _OVER_TIME),
    "contains": (fc.contains, {"shape": a_mesh, "points": lambda: POINTS}),
    "depths": (fc.depths, _BODIES),
    "distance within": (
        fc.distance,
        _BODIES | {"within": many(2.0), "relative_error": many(0.1), "solid": many(True)},
    ),
    "intersects within": (fc.intersects, _BODIES | {"within": many(2.0), "solid": many(True)}),
    "intersections": (fc.intersections, _BODIES),
    "load_compound": (fc.load_compound, {"path": many("nowhere.npz")}),
    "load_points": (fc.load_points, {"path": many("nowhere.ply"), "radius": many(0.1)}),
    "load_strands": (fc.load_strands, {"path": many("nowhere.obj"), "radius": many(0.1)}),
    "load_voxels": (fc.load_voxels, {"path": many("nowhere.bt")}),
    "near": (fc.near, _BODIES | {"within": many(2.0)}),
    "Scene.near": (method("near"), {"self": a_resting_scene, "within": many(2.0)}),
    "Robot.jacobian": (
        method("jacobian"),
        {"self": a_robot, "q": lambda: [0.1], "link": many("arm"), "point": lambda: [0.0, 0, 1]},
    ),
    "neighbors": (
        fc.neighbors,
        {
            "points": lambda: POINTS,
            "radius": many(0.5),
            "others": many(None),
            "distances": many(True),
            "max_pairs": many(1000),
        },
    ),
    "ray_cast of lines": (
        fc.ray_cast,
        {
            "shape": a_compound,
            "origins": lambda: [0.0, 0, 9],
            "directions": lambda: [0.0, 0, -1],
            "hits": many("all"),
            "min_time": many(-np.inf),
            "max_time": many(np.inf),
            "max_hits": many(9),
        },
    ),
    "Scene.ray_cast": (
        method("ray_cast"),
        {
            "self": a_scene,
            "origins": lambda: [0.0, 0, 9],
            "directions": lambda: [0.0, 0, -1],
            "at": many(0.5),
            "min_time": many(0.0),
            "max_time": many(np.inf),
        },
    ),
    "Scene.clearance": (method("clearance"), {"self": a_scene, "tolerance": many(0.1)}),
    "signed_distance": (
        fc.signed_distance,
        {"shape": a_mesh, "points": lambda: POINTS, "sign": many("auto")},
    ),
    "swept_volume": (
        fc.swept_volume,
        {
            "moving": lambda: fc.Box([1, 1, 1]).moving(FAR, velocity=[0, 0, -1]),
            "tolerance": many(0.5),
            "inner": many(False),
            "method": many("elements"),
            "links": many(None),
            "max_cells": many(100_000),
            "progress": many(False),
        },
    ),
    "voronoi": (
        fc.voronoi,
        {
            "sites": lambda: [fc.Sphere(1), POINTS, [1.0, 2, 3]],
            "bounds": lambda: [[0.0, 0, 0], [1, 2, 3]],
            "resolution": many(4),
            "weights": lambda: [0.0, 1, 2],
            "factors": lambda: [1.0, 1, 2],
            "farthest": many(False),
            "solid": many(False),
            "features": many(False),
            "time": many(0.0),
            "max_cells": many(1000),
        },
    ),
    "Voronoi.moved": (
        method("moved"),
        {"self": a_diagram, "sites": lambda: [[0.0, 1], [2.0, 3]], "time": many(0.0)},
    ),
    "Voronoi.medial_axis": (method("medial_axis"), {"self": a_diagram, "angle": many(60.0)}),
    "Tracker": (fc.Tracker, {"a": lambda: fc.Box([1, 1, 1]), "b": a_mesh}),
    "Tracker.distance": (method("distance"), {"self": a_tracker} | _POSES),
    "Tracker.intersects": (method("intersects"), {"self": a_tracker} | _POSES),
    "Tracker.penetration": (method("penetration"), {"self": a_tracker} | _POSES),
    "Tracker.first_contact": (
        method("first_contact"),
        {"self": a_tracker, "a": lambda: fc.Box([1, 1, 1]).moving(FAR, velocity=[0, 0, -9]), "b": a_mesh},
    ),
    "edge_edge_ccd, all times": (
        fc.edge_edge_ccd,
        {"start": lambda: POINTS, "end": lambda: POINTS[::-1], "all_times": many(True)},
    ),
}

RARER: dict[str, Call] = {**_SHAPES, **_FIELDS, **_MOTIONS, **_QUERIES}
