"""One call as a user of each library writes it, the pose made within.

Each function takes what a loop has: a pose (4, 4), two of them, or a ray. The shapes are made before.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import firstcontact as fc
from convex.cases import Case, Rays, Solid
from convex.own import shape
from convex.peers import add_geom, coal_shape, fcl_shape, rapier_pipeline, rapier_shape
from rigid.motions import quaternions

Call = Callable[..., Any]

DISTANCE, INTERSECTS, PENETRATION, FIRST, RAY = (
    "distance", "intersects", "penetration", "first contact", "one ray",
)  # fmt: skip
_FAR = 1e30


class Calls(NamedTuple):
    """A library's calls about a pair, by the query, and its call with a ray at the first shape, if any."""

    pairs: Callable[[Case], dict[str, Call]]
    ray: Callable[[Solid], Call] | None = None


def own(pair: Case) -> dict[str, Call]:
    """The plain queries."""
    a, b = shape(pair.a), shape(pair.b)
    return {
        DISTANCE: lambda pose: fc.distance(a.at(pose), b).distance,
        INTERSECTS: lambda pose: fc.intersects(a.at(pose), b),
        PENETRATION: lambda pose: fc.penetration(a.at(pose), b).depth,
        FIRST: lambda start, end: fc.first_contact(a.moving(start, end), b).time,
    }


def tracked(pair: Case) -> dict[str, Call]:
    """The same of a tracker, which is given both poses."""
    tracker, still = fc.Tracker(shape(pair.a), shape(pair.b)), np.eye(4)
    return {
        DISTANCE: lambda pose: tracker.distance(pose, still).distance,
        INTERSECTS: lambda pose: tracker.intersects(pose, still),
        PENETRATION: lambda pose: tracker.penetration(pose, still).depth,
    }


def own_ray(solid: Solid) -> Call:
    """A ray at a mesh."""
    mesh = shape(solid)
    return lambda origin, direction: fc.ray_cast(mesh, origin, direction).time


def of_coal(pair: Case) -> dict[str, Call]:
    """The functions of two shapes, as in its documentation."""
    import coal

    a, b, still = coal_shape(pair.a), coal_shape(pair.b), coal.Transform3s()
    near, touch = coal.DistanceRequest(), coal.CollisionRequest(coal.NO_REQUEST, 1)

    def distance(pose: Any) -> float:
        found = coal.DistanceResult()
        return coal.distance(a, coal.Transform3s(pose[:3, :3], pose[:3, 3]), b, still, near, found)

    def intersects(pose: Any) -> int:
        found = coal.CollisionResult()
        return coal.collide(a, coal.Transform3s(pose[:3, :3], pose[:3, 3]), b, still, touch, found)

    return {DISTANCE: distance, INTERSECTS: intersects, PENETRATION: lambda pose: -distance(pose)}


def of_fcl(pair: Case) -> dict[str, Call]:
    """Objects made of a shape and a transform."""
    import fcl

    a, b = fcl_shape(pair.a), fcl.CollisionObject(fcl_shape(pair.b))
    near, touch = fcl.DistanceRequest(), fcl.CollisionRequest()
    deep = fcl.CollisionRequest(enable_contact=True)

    def placed(pose: Any) -> Any:
        return fcl.CollisionObject(a, fcl.Transform(pose[:3, :3], pose[:3, 3]))

    def penetration(pose: Any) -> float:
        found = fcl.CollisionResult()
        fcl.collide(placed(pose), b, deep, found)
        return found.contacts[0].penetration_depth if found.contacts else np.nan

    def first(start: Any, end: Any) -> float:
        asked = fcl.ContinuousCollisionRequest(
            ccd_motion_type=fcl.CCDMotionType.CCDM_LINEAR,
            ccd_solver_type=fcl.CCDSolverType.CCDC_CONSERVATIVE_ADVANCEMENT,
        )
        found, there = fcl.ContinuousCollisionResult(), fcl.Transform(end[:3, :3], end[:3, 3])
        fcl.continuousCollide(placed(start), there, b, fcl.Transform(), asked, found)
        return found.time_of_contact if found.is_collide else np.inf

    return {
        DISTANCE: lambda pose: fcl.distance(placed(pose), b, near, fcl.DistanceResult()),
        INTERSECTS: lambda pose: fcl.collide(placed(pose), b, touch, fcl.CollisionResult()),
        PENETRATION: penetration,
        FIRST: first,
    }


def of_mujoco(pair: Case) -> dict[str, Call]:
    """Two geoms, one of them put where it is to be."""
    import mujoco

    model, data = _mujoco_scene(pair.a, pair.b)
    line = np.zeros(6)

    def distance(pose: Any) -> float:
        data.geom_xpos[0], data.geom_xmat[0] = pose[:3, 3], pose[:3, :3].ravel()
        return mujoco.mj_geomDistance(model, data, 0, 1, _FAR, line)

    return {
        DISTANCE: distance,
        INTERSECTS: lambda pose: distance(pose) <= 0.0,
        PENETRATION: lambda pose: -distance(pose),
    }


def mujoco_ray(solid: Solid) -> Call:
    """A ray at a mesh."""
    import mujoco

    model, data = _mujoco_scene(solid)
    return lambda origin, direction: mujoco.mj_rayMesh(model, data, 0, origin, direction)


def _mujoco_scene(*both: Solid) -> tuple[Any, Any]:
    import mujoco

    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body()
    for name, solid in zip("ab", both, strict=False):
        if len(solid.points):
            spec.add_mesh(name=name, uservert=solid.points.ravel(), userface=solid.faces.ravel())
        add_geom(body, solid, name)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    return model, data


def of_rapier(pair: Case) -> dict[str, Call]:
    """Overlaps and casts of a pipeline of one collider; it has no distance, and no depth."""
    import rapier3d as rapier

    shape_a, pipeline = rapier_shape(pair.a), rapier_pipeline(pair.b)
    once = rapier.ShapeCastOptions(max_time_of_impact=1.0)

    def placed(pose: Any) -> Any:
        (real,), (vector,) = quaternions(pose[np.newaxis, :3, :3])
        return rapier.Isometry3(tuple(pose[:3, 3]), (*vector, real))

    def intersects(pose: Any) -> bool:
        found: list[Any] = []
        pipeline.intersect_shape(placed(pose), shape_a, found.append)
        return len(found) > 0

    def first(start: Any, end: Any) -> float:
        found = pipeline.cast_shape(placed(start), tuple(end[:3, 3] - start[:3, 3]), shape_a, once)
        return np.inf if found is None else found[1].time_of_impact

    return {INTERSECTS: intersects, FIRST: first}


def rapier_ray(solid: Solid) -> Call:
    """A ray at a mesh."""
    import rapier3d as rapier

    pipeline = rapier_pipeline(solid)

    def cast(origin: Any, direction: Any) -> float:
        found = pipeline.cast_ray(rapier.Ray(tuple(origin), tuple(direction)), _FAR, True)
        return np.inf if found is None else found[1]

    return cast


def rays_in(rays: Rays) -> list[tuple[Any, ...]]:
    """Rays as a loop has them."""
    return list(zip(rays.origins.copy(), rays.directions.copy(), strict=True))


OWN, TRACKER = "firstcontact", "firstcontact, Tracker"
LIBRARIES = {
    OWN: Calls(own, own_ray),
    TRACKER: Calls(tracked),
    "coal": Calls(of_coal),
    "python-fcl": Calls(of_fcl),
    "mujoco": Calls(of_mujoco, mujoco_ray),
    "rapier3d": Calls(of_rapier, rapier_ray),
}
