"""The peers of the convex benchmark, each called as its users call it from Python.

Shapes, poses, rays, requests and results are made beforehand: only the call is timed.

- coal: `ComputeDistance`, which is signed, and `ComputeCollision` without contacts.
- python-fcl: `distance`, `collide` and, with conservative advancement, `continuousCollide`.
- mujoco: `mj_geomDistance`, which is signed, of a geom in each pose; `mj_ray`, and `mj_rayMesh` for meshes.
- rapier3d: casts and overlaps of a `QueryPipeline` of one collider, in single precision.
- embreex: `EmbreeScene.run` of one ray and of all, in single precision.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from convex.asked import (
    DISTANCE,
    INTERSECTS,
    PENETRATION,
    RAY,
    ROTATION,
    TRANSLATION,
    Asked,
    Queries,
    answers,
    rows,
    same,
)  # fmt: skip
from convex.cases import (
    BOX,
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    HULL,
    MESH,
    SPHERE,
    Case,
    Rays,
    Solid,
    case,
    solids,
)
from deformable.surfaces import Points
from rigid.motions import quaternions, velocities

COAL, FCL, MUJOCO, RAPIER, EMBREE, EMBREE_BATCH = (
    "coal", "python-fcl", "mujoco", "rapier3d", "embreex", "embreex, batch",
)  # fmt: skip
_FAR = 1e30  # farther than anything
_TOUCHING = 1e-12  # a distance that mujoco may stop at when only its sign is asked for


class Peer(NamedTuple):
    """The package to install, the module to import, and the queries it has; none: it has none of a kind."""

    package: str
    module: str
    pairs: Callable[[Case], Queries] | None = None
    rays: Callable[[Rays], Queries] | None = None
    is_sound: Callable[[], bool] = lambda: True  # in this process


class LacksShapeError(Exception):
    """A peer does not know the shape."""


def _coal(pair: Case) -> Queries:
    import coal

    a, b, still = coal_shape(pair.a), coal_shape(pair.b), coal.Transform3s()
    gap, touch = coal.ComputeDistance(a, b), coal.ComputeCollision(a, b)
    wanted, asked = coal.DistanceRequest(), coal.CollisionRequest(coal.NO_REQUEST, 1)
    apart, over, mixed = (_coal_poses(poses) for poses in (pair.apart, pair.overlapping, pair.mixed))

    def signed(poses: list[Any], _alive: Any = (a, b)) -> list[tuple[Any, ...]]:
        """New results, since one that holds an overlap ends the call. The functors do not own the shapes."""
        return [(pose, still, wanted, coal.DistanceResult()) for pose in poses]

    return {
        DISTANCE: Asked(gap, lambda: signed(apart), same),
        PENETRATION: Asked(gap, lambda: signed(over), lambda found, _: -found),
        INTERSECTS: Asked(
            touch, lambda: [(pose, still, asked, coal.CollisionResult()) for pose in mixed], same
        ),
    }


def coal_shape(solid: Solid) -> Any:
    """The shape as coal has it."""
    import coal

    if solid.kind == HULL:
        points = coal.StdVec_Vec3s()
        points.extend(list(solid.points))
        return coal.Convex.convexHull(points, True, None)
    make = {
        SPHERE: coal.Sphere, CAPSULE: coal.Capsule, BOX: coal.Box, CYLINDER: coal.Cylinder,
        ELLIPSOID: coal.Ellipsoid,
    }  # fmt: skip
    return make[solid.kind](*_full(solid))


def _coal_poses(poses: Points) -> list[Any]:
    import coal

    return [coal.Transform3s(pose[:3, :3].copy(), pose[:3, 3].copy()) for pose in poses]


def _full(solid: Solid) -> tuple[float, ...]:
    """Sizes as coal and python-fcl take them: sides of a box, semi-axes of an ellipsoid, whole lengths."""
    return tuple(2.0 * size for size in solid.sizes) if solid.kind == BOX else solid.sizes


def _fcl(pair: Case) -> Queries:
    """Objects in all poses, since it takes objects, not shapes and poses."""
    import fcl

    a, b, still = fcl_shape(pair.a), fcl.CollisionObject(fcl_shape(pair.b)), fcl.Transform()
    apart, over, mixed = (
        [fcl.CollisionObject(a, pose) for pose in _fcl_poses(poses)]
        for poses in (pair.apart, pair.overlapping, pair.mixed)
    )
    wanted, asked = fcl.DistanceRequest(), fcl.CollisionRequest()
    deep = fcl.CollisionRequest(enable_contact=True)
    queries = {
        DISTANCE: Asked(
            fcl.distance, lambda: [(one, b, wanted, fcl.DistanceResult()) for one in apart], same
        ),
        PENETRATION: Asked(
            fcl.collide, lambda: [(one, b, deep, fcl.CollisionResult()) for one in over], _fcl_depth
        ),
        INTERSECTS: Asked(
            fcl.collide, lambda: [(one, b, asked, fcl.CollisionResult()) for one in mixed], same
        ),
    }
    if ELLIPSOID in (pair.a.kind, pair.b.kind):
        return queries
    moved = fcl.ContinuousCollisionRequest(
        ccd_motion_type=fcl.CCDMotionType.CCDM_LINEAR,
        ccd_solver_type=fcl.CCDSolverType.CCDC_CONSERVATIVE_ADVANCEMENT,
    )
    starts = [fcl.CollisionObject(a, pose) for pose in _fcl_poses(pair.starts)]

    def moving(ends: list[Any]) -> list[tuple[Any, ...]]:
        return [
            (start, end, b, still, moved, fcl.ContinuousCollisionResult())
            for start, end in zip(starts, ends, strict=True)
        ]

    for name, ends in ((TRANSLATION, _fcl_poses(pair.ends)), (ROTATION, _fcl_poses(pair.turned))):
        queries[name] = Asked(fcl.continuousCollide, lambda ends=ends: moving(ends), _fcl_time)
    return queries


def fcl_is_sound() -> bool:
    """Does its conservative advancement find when two spheres meet?

    In about a quarter of all processes all times of contact that it gives are 0, or none is found, whatever
    the shapes: its answers differ from run to run (issue 11 of python-fcl). Within a process all are alike.
    """
    pair = case(*solids()[SPHERE], 20)
    way, start = pair.ends[:, :3, 3] - pair.starts[:, :3, 3], pair.starts[:, :3, 3]
    reach = pair.a.sizes[0] + pair.b.sizes[0]
    square, half = (way**2).sum(axis=-1), (way * start).sum(axis=-1)
    root = half**2 - square * ((start**2).sum(axis=-1) - reach**2)
    true = (-half - np.sqrt(np.maximum(root, 0.0))) / square
    is_hit = (root > 0.0) & (true >= 0.0) & (true <= 1.0)
    return bool(np.allclose(answers(_fcl(pair)[TRANSLATION])[is_hit], true[is_hit], atol=1e-2))


def _fcl_depth(_raw: Any, arguments: tuple[Any, ...]) -> float:
    contacts = arguments[3].contacts
    return contacts[0].penetration_depth if contacts else np.nan


def _fcl_time(_raw: Any, arguments: tuple[Any, ...]) -> float:
    found = arguments[5]
    return found.time_of_contact if found.is_collide else np.inf


def fcl_shape(solid: Solid) -> Any:
    """The shape as python-fcl has it."""
    import fcl

    if solid.kind == HULL:
        return fcl.Convex(solid.points, len(solid.faces), np.insert(solid.faces, 0, 3, axis=-1).ravel())
    make = {
        SPHERE: fcl.Sphere, CAPSULE: fcl.Capsule, BOX: fcl.Box, CYLINDER: fcl.Cylinder,
        ELLIPSOID: fcl.Ellipsoid,
    }  # fmt: skip
    return make[solid.kind](*_full(solid))


def _fcl_poses(poses: Points) -> list[Any]:
    import fcl

    return [fcl.Transform(pose[:3, :3].copy(), pose[:3, 3].copy()) for pose in poses]


def _mujoco(pair: Case) -> Queries:
    import mujoco

    line = np.zeros(6)
    asked = {
        DISTANCE: (pair.apart, _FAR, line, same),
        PENETRATION: (pair.overlapping, _FAR, line, lambda found, _: -found),
        INTERSECTS: (pair.mixed, _TOUCHING, None, lambda found, _: found <= 0.0),
    }
    queries = {}
    for name, (poses, limit, points, answer) in asked.items():
        model, data = _mujoco_scene(pair.b, pair.a, poses)
        calls = [(model, data, i + 1, 0, limit, points) for i in range(len(poses))]
        queries[name] = Asked(mujoco.mj_geomDistance, lambda calls=calls: calls, answer)
    return queries


def _mujoco_rays(rays: Rays) -> Queries:
    import mujoco

    model, data = _mujoco_scene(rays.solid, rays.solid, np.empty((0, 4, 4)))
    both = rows(rays.origins, rays.directions)
    if len(rays.solid.points):
        call, calls = mujoco.mj_rayMesh, [(model, data, 0, *one) for one in both]
    else:
        hit = np.zeros(1, np.int32)
        call, calls = mujoco.mj_ray, [(model, data, *one, None, True, -1, hit) for one in both]
    return {RAY: Asked(call, lambda: calls, lambda time, _: time if time >= 0.0 else np.inf)}


def _mujoco_scene(still: Solid, moved: Solid, poses: Points) -> tuple[Any, Any]:
    """B at the origin is the first geom, A in all its poses are the others."""
    import mujoco

    spec = mujoco.MjSpec()
    for name, solid in (("b", still), ("a", moved)):
        if len(solid.points):
            spec.add_mesh(name=name, uservert=solid.points.ravel(), userface=solid.faces.ravel())
    body = spec.worldbody.add_body()
    add_geom(body, still, "b")
    for pose, real, vector in zip(poses, *quaternions(poses[:, :3, :3]), strict=True):
        add_geom(body, moved, "a", pos=pose[:3, 3], quat=(real, *vector))
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    return model, data


def add_geom(body: Any, solid: Solid, mesh: str, **placed: Any) -> None:
    """Add the shape, or the mesh of a name, to a body of mujoco's."""
    import mujoco

    sort = mujoco.mjtGeom
    if len(solid.points):
        body.add_geom(type=sort.mjGEOM_MESH, meshname=mesh, **placed)
        return
    kinds = {
        SPHERE: sort.mjGEOM_SPHERE, CAPSULE: sort.mjGEOM_CAPSULE, BOX: sort.mjGEOM_BOX,
        CYLINDER: sort.mjGEOM_CYLINDER, ELLIPSOID: sort.mjGEOM_ELLIPSOID,
    }  # fmt: skip
    size = np.zeros(3)
    size[: len(solid.sizes)] = solid.sizes
    if solid.kind in (CAPSULE, CYLINDER):
        size[1] *= 0.5
    body.add_geom(type=kinds[solid.kind], size=size, **placed)


def _rapier(pair: Case) -> Queries:
    """It has no distance and no depth that Python can ask for."""
    import rapier3d as rapier

    shape, pipeline = rapier_shape(pair.a), rapier_pipeline(pair.b)
    mixed, starts = (_rapier_poses(poses @ _upright(pair.a)) for poses in (pair.mixed, pair.starts))
    ways = [tuple(way) for way in pair.ends[:, :3, 3] - pair.starts[:, :3, 3]]
    once = rapier.ShapeCastOptions(max_time_of_impact=1.0)
    straight = [(start, way, shape, once) for start, way in zip(starts, ways, strict=True)]
    turning = [(motion, shape, once, 0.0, 1.0) for motion in _rapier_motions(pair)]

    def over() -> list[tuple[Any, ...]]:
        return [(pose, shape, [].append) for pose in mixed]

    return {
        INTERSECTS: Asked(pipeline.intersect_shape, over, lambda _, one: len(one[2].__self__) > 0),
        TRANSLATION: Asked(pipeline.cast_shape, lambda: straight, _rapier_time),
        ROTATION: Asked(pipeline.cast_shape_nonlinear, lambda: turning, _rapier_time),
    }


def _rapier_time(found: Any, _arguments: tuple[Any, ...]) -> float:
    return np.inf if found is None else found[1].time_of_impact


def _rapier_rays(rays: Rays) -> Queries:
    import rapier3d as rapier

    pipeline = rapier_pipeline(rays.solid)
    calls = [
        (rapier.Ray(tuple(origin), tuple(way)), _FAR, True)
        for origin, way in zip(rays.origins, rays.directions, strict=True)
    ]
    return {
        RAY: Asked(pipeline.cast_ray, lambda: calls, lambda found, _: np.inf if found is None else found[1])
    }


def rapier_shape(solid: Solid) -> Any:
    """The shape as rapier3d has it."""
    import rapier3d as rapier

    size, make = solid.sizes, rapier.SharedShape
    if solid.kind == ELLIPSOID:
        raise LacksShapeError(solid.kind)
    return {
        SPHERE: lambda: make.ball(*size),
        BOX: lambda: make.cuboid(*size),
        CAPSULE: lambda: make.capsule_z(0.5 * size[1], size[0]),
        CYLINDER: lambda: make.cylinder(0.5 * size[1], size[0]),
        HULL: lambda: make.convex_hull(solid.points.astype(np.float32)),
        MESH: lambda: make.trimesh(solid.points.astype(np.float32), solid.faces.astype(np.uint32)),
    }[solid.kind]()


def _upright(solid: Solid) -> Points:
    """Its cylinders stand along y: a pose that turns them to stand along z."""
    swap = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    return swap if solid.kind == CYLINDER else np.eye(4)


def rapier_pipeline(solid: Solid) -> Any:
    """Queries of rapier3d about one collider at the origin."""
    import rapier3d as rapier

    world = rapier.PhysicsWorld()
    collider = rapier.Collider.new(rapier_shape(solid)).position(_rapier_poses(_upright(solid)[None])[0])
    world.add_collider(collider.build())
    world.detect_collisions()
    world.update_query_pipeline()
    return world.query_pipeline


def _rapier_poses(poses: Points) -> list[Any]:
    import rapier3d as rapier

    return [
        rapier.Isometry3(tuple(pose[:3, 3]), (*vector, real))
        for pose, real, vector in zip(poses, *quaternions(poses[:, :3, :3]), strict=True)
    ]


def _rapier_motions(pair: Case) -> list[Any]:
    import rapier3d as rapier

    linear, axis, angle = velocities(pair.starts, pair.turned, np.zeros(3))
    starts = _rapier_poses(pair.starts @ _upright(pair.a))
    return [
        rapier.NonlinearRigidMotion(
            start=start, local_center=(0.0, 0.0, 0.0), linvel=tuple(v), angvel=tuple(w)
        )
        for start, v, w in zip(starts, linear, axis * angle[:, None], strict=True)
    ]


def _embree_rays(rays: Rays, n_a_call: int = 1) -> Queries:
    from embreex.mesh_construction import TriangleMesh
    from embreex.rtcore_scene import EmbreeScene

    if not len(rays.solid.points):
        raise LacksShapeError(rays.solid.kind)
    scene = EmbreeScene()
    held = TriangleMesh(scene, rays.solid.points.astype(np.float32), rays.solid.faces)
    both = [
        np.split(array.astype(np.float32), len(array) // n_a_call)
        for array in (rays.origins, rays.directions)
    ]
    calls = rows(*both)

    def times(found: Points, _arguments: tuple[Any, ...]) -> Points:
        return np.where(found < _FAR, found, np.inf)

    call = partial(scene.run, query="DISTANCE")
    return {RAY: Asked(call, lambda _held=held: calls, times, n_a_call)}


PEERS = {
    COAL: Peer("coal", "coal", pairs=_coal),
    FCL: Peer("python-fcl", "fcl", pairs=_fcl, is_sound=fcl_is_sound),
    MUJOCO: Peer("mujoco", "mujoco", pairs=_mujoco, rays=_mujoco_rays),
    RAPIER: Peer("rapier3d", "rapier3d", pairs=_rapier, rays=_rapier_rays),
    EMBREE: Peer("embreex", "embreex", rays=_embree_rays),
    EMBREE_BATCH: Peer("embreex", "embreex", rays=lambda rays: _embree_rays(rays, len(rays.origins))),
}
