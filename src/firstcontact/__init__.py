"""When do moving things first touch? Continuous collision detection with guarantees.

The public names, and nothing else. Each is loaded when it is first used: the compiler and the mesh reader
cost nothing until something needs them.
"""

from importlib import import_module

# As `typing` has it, whose loading would take longer than all else here.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from firstcontact.answers.clearance_results import Clearance as Clearance
    from firstcontact.answers.closest_features import Feature as Feature
    from firstcontact.answers.contact_results import AdvancementStats as AdvancementStats
    from firstcontact.answers.contact_results import ContactKind as ContactKind
    from firstcontact.answers.contact_results import Contacts as Contacts
    from firstcontact.answers.contact_results import ContactStats as ContactStats
    from firstcontact.answers.contact_results import FirstContact as FirstContact
    from firstcontact.answers.contact_results import FirstContacts as FirstContacts
    from firstcontact.answers.depth_results import Depths as Depths
    from firstcontact.answers.elementary_results import ElementaryContacts as ElementaryContacts
    from firstcontact.answers.elementary_results import ElementaryTimes as ElementaryTimes
    from firstcontact.answers.field_results import FieldContacts as FieldContacts
    from firstcontact.answers.field_results import Penalty as Penalty
    from firstcontact.answers.intersection_results import Intersections as Intersections
    from firstcontact.answers.interval_results import ContactIntervals as ContactIntervals
    from firstcontact.answers.near_results import NearPairs as NearPairs
    from firstcontact.answers.near_results import NearPaths as NearPaths
    from firstcontact.answers.neighbor_results import Neighbors as Neighbors
    from firstcontact.answers.pair_distances import ClosestKind as ClosestKind
    from firstcontact.answers.pair_distances import PairDistances as PairDistances
    from firstcontact.answers.penetration_results import Penetration as Penetration
    from firstcontact.answers.point_results import SignedDistances as SignedDistances
    from firstcontact.answers.proximity_results import Distance as Distance
    from firstcontact.answers.ray_results import AllRayHits as AllRayHits
    from firstcontact.answers.ray_results import RayHits as RayHits
    from firstcontact.answers.report_results import MeshReport as MeshReport
    from firstcontact.answers.robot_results import RobotClearance as RobotClearance
    from firstcontact.answers.robot_results import RobotContact as RobotContact
    from firstcontact.answers.robot_results import RobotContacts as RobotContacts
    from firstcontact.answers.robot_results import RobotDistance as RobotDistance
    from firstcontact.answers.robot_results import RobotIntervals as RobotIntervals
    from firstcontact.answers.robot_results import RobotPenetration as RobotPenetration
    from firstcontact.answers.sequence_results import SequenceContacts as SequenceContacts
    from firstcontact.answers.sphere_results import SphereTree as SphereTree
    from firstcontact.answers.sweep_results import SweptVolume as SweptVolume
    from firstcontact.answers.voronoi_results import VoronoiBoundary as VoronoiBoundary
    from firstcontact.articulated.model.joint import Joint as Joint
    from firstcontact.articulated.model.joint_group import JointGroup as JointGroup
    from firstcontact.articulated.model.robot import Robot as Robot
    from firstcontact.articulated.proof.certificate import Certificate as Certificate
    from firstcontact.clusters.cluster import Cluster as Cluster
    from firstcontact.clusters.cluster import cluster as cluster
    from firstcontact.deformable.culling import Culling as Culling
    from firstcontact.errors import FieldFileError as FieldFileError
    from firstcontact.errors import MeshFileError as MeshFileError
    from firstcontact.errors import MissingExtraError as MissingExtraError
    from firstcontact.errors import RobotFileError as RobotFileError
    from firstcontact.fields.distance_field import DistanceField as DistanceField
    from firstcontact.io.load import load as load
    from firstcontact.io.load_clouds import load_points as load_points
    from firstcontact.io.load_clouds import load_strands as load_strands
    from firstcontact.io.load_compound import load_compound as load_compound
    from firstcontact.io.load_voxels import load_voxels as load_voxels
    from firstcontact.motions.trajectories.described import motion as motion
    from firstcontact.motions.trajectories.spline import Spline as Spline
    from firstcontact.motions.trajectories.trapezoidal import trapezoidal as trapezoidal
    from firstcontact.queries.candidates import candidates as candidates
    from firstcontact.queries.clearance import clearance as clearance
    from firstcontact.queries.contact_intervals import contact_intervals as contact_intervals
    from firstcontact.queries.contacts import contacts as contacts
    from firstcontact.queries.depths import depths as depths
    from firstcontact.queries.elementary import edge_edge_ccd as edge_edge_ccd
    from firstcontact.queries.elementary import vertex_face_ccd as vertex_face_ccd
    from firstcontact.queries.first_contact import first_contact as first_contact
    from firstcontact.queries.first_contact import first_contacts as first_contacts
    from firstcontact.queries.first_contact import safe_step as safe_step
    from firstcontact.queries.intersections import intersections as intersections
    from firstcontact.queries.is_free import is_free as is_free
    from firstcontact.queries.listed_pairs import Candidates as Candidates
    from firstcontact.queries.near import near as near
    from firstcontact.queries.neighbors import neighbors as neighbors
    from firstcontact.queries.penetration import penetration as penetration
    from firstcontact.queries.proximity import distance as distance
    from firstcontact.queries.proximity import intersects as intersects
    from firstcontact.queries.ray_cast import ray_cast as ray_cast
    from firstcontact.queries.sequence import sequence as sequence
    from firstcontact.queries.signed_distance import contains as contains
    from firstcontact.queries.signed_distance import signed_distance as signed_distance
    from firstcontact.queries.swept_volume import swept_volume as swept_volume
    from firstcontact.queries.tracker import Tracker as Tracker
    from firstcontact.queries.voronoi import voronoi as voronoi
    from firstcontact.queries.voronoi_diagram import Voronoi as Voronoi
    from firstcontact.scene.events.results import SceneEvent as SceneEvent
    from firstcontact.scene.events.results import SceneEvents as SceneEvents
    from firstcontact.scene.manifold_results import Manifold as Manifold
    from firstcontact.scene.results import SceneClearance as SceneClearance
    from firstcontact.scene.results import SceneContact as SceneContact
    from firstcontact.scene.results import SceneContacts as SceneContacts
    from firstcontact.scene.results import SceneRayHits as SceneRayHits
    from firstcontact.scene.scene import Scene as Scene
    from firstcontact.scene.scene_features import SceneFeatureContacts as SceneFeatureContacts
    from firstcontact.shapes.box import Box as Box
    from firstcontact.shapes.capsule import Capsule as Capsule
    from firstcontact.shapes.cloud import Points as Points
    from firstcontact.shapes.compound import Compound as Compound
    from firstcontact.shapes.cone import Cone as Cone
    from firstcontact.shapes.convex_hull import ConvexHull as ConvexHull
    from firstcontact.shapes.convex_support import ConvexSupport as ConvexSupport
    from firstcontact.shapes.cylinder import Cylinder as Cylinder
    from firstcontact.shapes.ellipsoid import Ellipsoid as Ellipsoid
    from firstcontact.shapes.half_space import HalfSpace as HalfSpace
    from firstcontact.shapes.height_field import HeightField as HeightField
    from firstcontact.shapes.mesh import Mesh as Mesh
    from firstcontact.shapes.moving import Moving as Moving
    from firstcontact.shapes.polygon import Polygon as Polygon
    from firstcontact.shapes.polyline import Polyline as Polyline
    from firstcontact.shapes.rounded import Rounded as Rounded
    from firstcontact.shapes.sphere import Sphere as Sphere
    from firstcontact.shapes.strands import Strands as Strands
    from firstcontact.shapes.voxels import Voxels as Voxels
    from firstcontact.status import Status as Status
    from firstcontact.viz.plot import plot as plot
    from firstcontact.viz.show import show as show

__version__ = "0.1.0"

__all__ = [
    "AdvancementStats",
    "AllRayHits",
    "Box",
    "Candidates",
    "Capsule",
    "Certificate",
    "Clearance",
    "ClosestKind",
    "Cluster",
    "Compound",
    "Cone",
    "ContactIntervals",
    "ContactKind",
    "ContactStats",
    "Contacts",
    "ConvexHull",
    "ConvexSupport",
    "Culling",
    "Cylinder",
    "Depths",
    "Distance",
    "DistanceField",
    "ElementaryContacts",
    "ElementaryTimes",
    "Ellipsoid",
    "Feature",
    "FieldContacts",
    "FieldFileError",
    "FirstContact",
    "FirstContacts",
    "HalfSpace",
    "HeightField",
    "Intersections",
    "Joint",
    "JointGroup",
    "Manifold",
    "Mesh",
    "MeshFileError",
    "MeshReport",
    "MissingExtraError",
    "Moving",
    "NearPairs",
    "NearPaths",
    "Neighbors",
    "PairDistances",
    "Penalty",
    "Penetration",
    "Points",
    "Polygon",
    "Polyline",
    "RayHits",
    "Robot",
    "RobotClearance",
    "RobotContact",
    "RobotContacts",
    "RobotDistance",
    "RobotFileError",
    "RobotIntervals",
    "RobotPenetration",
    "Rounded",
    "Scene",
    "SceneClearance",
    "SceneContact",
    "SceneContacts",
    "SceneEvent",
    "SceneEvents",
    "SceneFeatureContacts",
    "SceneRayHits",
    "SequenceContacts",
    "SignedDistances",
    "Sphere",
    "SphereTree",
    "Spline",
    "Status",
    "Strands",
    "SweptVolume",
    "Tracker",
    "Voronoi",
    "VoronoiBoundary",
    "Voxels",
    "__version__",
    "candidates",
    "clearance",
    "cluster",
    "contact_intervals",
    "contacts",
    "contains",
    "depths",
    "distance",
    "edge_edge_ccd",
    "first_contact",
    "first_contacts",
    "intersections",
    "intersects",
    "is_free",
    "load",
    "load_compound",
    "load_points",
    "load_strands",
    "load_voxels",
    "motion",
    "near",
    "neighbors",
    "penetration",
    "plot",
    "ray_cast",
    "safe_step",
    "sequence",
    "show",
    "signed_distance",
    "swept_volume",
    "trapezoidal",
    "vertex_face_ccd",
    "voronoi",
]

_HOMES = {
    "AdvancementStats": "firstcontact.answers.contact_results",
    "AllRayHits": "firstcontact.answers.ray_results",
    "Box": "firstcontact.shapes.box",
    "Candidates": "firstcontact.queries.listed_pairs",
    "Capsule": "firstcontact.shapes.capsule",
    "Certificate": "firstcontact.articulated.proof.certificate",
    "Clearance": "firstcontact.answers.clearance_results",
    "ClosestKind": "firstcontact.answers.pair_distances",
    "Cluster": "firstcontact.clusters.cluster",
    "Compound": "firstcontact.shapes.compound",
    "Cone": "firstcontact.shapes.cone",
    "ContactIntervals": "firstcontact.answers.interval_results",
    "ContactKind": "firstcontact.answers.contact_results",
    "ContactStats": "firstcontact.answers.contact_results",
    "Contacts": "firstcontact.answers.contact_results",
    "ConvexHull": "firstcontact.shapes.convex_hull",
    "ConvexSupport": "firstcontact.shapes.convex_support",
    "Culling": "firstcontact.deformable.culling",
    "Cylinder": "firstcontact.shapes.cylinder",
    "Depths": "firstcontact.answers.depth_results",
    "Distance": "firstcontact.answers.proximity_results",
    "DistanceField": "firstcontact.fields.distance_field",
    "ElementaryContacts": "firstcontact.answers.elementary_results",
    "ElementaryTimes": "firstcontact.answers.elementary_results",
    "Ellipsoid": "firstcontact.shapes.ellipsoid",
    "Feature": "firstcontact.answers.closest_features",
    "FieldContacts": "firstcontact.answers.field_results",
    "FieldFileError": "firstcontact.errors",
    "FirstContact": "firstcontact.answers.contact_results",
    "FirstContacts": "firstcontact.answers.contact_results",
    "HalfSpace": "firstcontact.shapes.half_space",
    "HeightField": "firstcontact.shapes.height_field",
    "Intersections": "firstcontact.answers.intersection_results",
    "Joint": "firstcontact.articulated.model.joint",
    "JointGroup": "firstcontact.articulated.model.joint_group",
    "Manifold": "firstcontact.scene.manifold_results",
    "Mesh": "firstcontact.shapes.mesh",
    "MeshReport": "firstcontact.answers.report_results",
    "MeshFileError": "firstcontact.errors",
    "MissingExtraError": "firstcontact.errors",
    "Moving": "firstcontact.shapes.moving",
    "NearPairs": "firstcontact.answers.near_results",
    "NearPaths": "firstcontact.answers.near_results",
    "Neighbors": "firstcontact.answers.neighbor_results",
    "Penalty": "firstcontact.answers.field_results",
    "PairDistances": "firstcontact.answers.pair_distances",
    "Penetration": "firstcontact.answers.penetration_results",
    "Points": "firstcontact.shapes.cloud",
    "Polygon": "firstcontact.shapes.polygon",
    "Polyline": "firstcontact.shapes.polyline",
    "RayHits": "firstcontact.answers.ray_results",
    "Robot": "firstcontact.articulated.model.robot",
    "RobotClearance": "firstcontact.answers.robot_results",
    "RobotContact": "firstcontact.answers.robot_results",
    "RobotContacts": "firstcontact.answers.robot_results",
    "RobotDistance": "firstcontact.answers.robot_results",
    "RobotPenetration": "firstcontact.answers.robot_results",
    "RobotIntervals": "firstcontact.answers.robot_results",
    "RobotFileError": "firstcontact.errors",
    "Rounded": "firstcontact.shapes.rounded",
    "Scene": "firstcontact.scene.scene",
    "SceneClearance": "firstcontact.scene.results",
    "SceneContact": "firstcontact.scene.results",
    "SceneContacts": "firstcontact.scene.results",
    "SceneEvent": "firstcontact.scene.events.results",
    "SceneEvents": "firstcontact.scene.events.results",
    "SceneFeatureContacts": "firstcontact.scene.scene_features",
    "SceneRayHits": "firstcontact.scene.results",
    "SequenceContacts": "firstcontact.answers.sequence_results",
    "SignedDistances": "firstcontact.answers.point_results",
    "Sphere": "firstcontact.shapes.sphere",
    "SphereTree": "firstcontact.answers.sphere_results",
    "Spline": "firstcontact.motions.trajectories.spline",
    "Status": "firstcontact.status",
    "Strands": "firstcontact.shapes.strands",
    "SweptVolume": "firstcontact.answers.sweep_results",
    "Tracker": "firstcontact.queries.tracker",
    "Voronoi": "firstcontact.queries.voronoi_diagram",
    "VoronoiBoundary": "firstcontact.answers.voronoi_results",
    "Voxels": "firstcontact.shapes.voxels",
    "candidates": "firstcontact.queries.candidates",
    "clearance": "firstcontact.queries.clearance",
    "cluster": "firstcontact.clusters.cluster",
    "contact_intervals": "firstcontact.queries.contact_intervals",
    "contacts": "firstcontact.queries.contacts",
    "contains": "firstcontact.queries.signed_distance",
    "depths": "firstcontact.queries.depths",
    "distance": "firstcontact.queries.proximity",
    "edge_edge_ccd": "firstcontact.queries.elementary",
    "first_contact": "firstcontact.queries.first_contact",
    "first_contacts": "firstcontact.queries.first_contact",
    "intersections": "firstcontact.queries.intersections",
    "intersects": "firstcontact.queries.proximity",
    "is_free": "firstcontact.queries.is_free",
    "load": "firstcontact.io.load",
    "load_compound": "firstcontact.io.load_compound",
    "load_points": "firstcontact.io.load_clouds",
    "load_strands": "firstcontact.io.load_clouds",
    "load_voxels": "firstcontact.io.load_voxels",
    "motion": "firstcontact.motions.trajectories.described",
    "near": "firstcontact.queries.near",
    "neighbors": "firstcontact.queries.neighbors",
    "penetration": "firstcontact.queries.penetration",
    "plot": "firstcontact.viz.plot",
    "ray_cast": "firstcontact.queries.ray_cast",
    "safe_step": "firstcontact.queries.first_contact",
    "sequence": "firstcontact.queries.sequence",
    "show": "firstcontact.viz.show",
    "signed_distance": "firstcontact.queries.signed_distance",
    "swept_volume": "firstcontact.queries.swept_volume",
    "trapezoidal": "firstcontact.motions.trajectories.trapezoidal",
    "vertex_face_ccd": "firstcontact.queries.elementary",
    "voronoi": "firstcontact.queries.voronoi",
}


def __getattr__(name: str) -> "Any":
    """Load a public name on its first use (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
