"""How deep two rigid bodies are in each other: however both are moved by less, they still touch."""

from firstcontact._jit import kernel
from firstcontact.bodies.wide_body import NodeStack
from firstcontact.motions.relative_motion import Placement
from firstcontact.narrowphase.convex.gjk import RelativePose
from firstcontact.narrowphase.convex.overlap_depth import least_depth
from firstcontact.proximity.touching.firm_depths import DepthRoom, deepest_triangle, firmest_crossing
from firstcontact.rigid.pair_kinds import Convexes, Meshes, SolidMesh, first_of


@kernel
def depth_of(
    convexes: Convexes | None,
    solid: SolidMesh | None,
    meshes: Meshes | None,
    place: Placement,
    rounding: float,
    room: tuple[NodeStack, DepthRoom],
) -> float:
    """How deep; not positive where that is not known."""
    stack, depths = room
    if convexes is not None:
        a, b, frame = first_of(convexes.a), first_of(convexes.b), RelativePose(place.rotation, place.offset)
        pool_a, pool_b = convexes.a.pool, convexes.b.pool
        depth = least_depth(a, b, pool_a, pool_b, frame, depths.numbers, depths.links)
    if solid is not None:
        depth = deepest_triangle(first_of(solid.table), solid.table.pool, solid.wide, place, stack, depths)
    if meshes is not None:
        depth = firmest_crossing(meshes.wide_a, meshes.wide_b, place, rounding, stack)
    return depth
