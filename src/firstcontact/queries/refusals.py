"""Sentences with which the registry refuses what nobody answers about."""

# Verbs that robots go with.
FOR_ROBOTS = (
    *("first_contact", "first_contacts", "safe_step", "is_free", "clearance", "contact_intervals"),
    *("distance", "intersects"),
)

NO_THING = "a thing must be a shape, moving or not, or a trimesh.Trimesh; received {what}"
ALONE = "{verb} is about two things: b is missing"
NEIGHBOURS = (
    "faces of a mesh are at no distance from their neighbours: use first_contact with a min_separation"
)
ITSELF = "a {what} cannot touch itself: give two things"
ROBOT_FIRST = "the robot comes first: a must be what robot.moving, along and at give"
NO_ROBOT = (
    f"a robot goes with {', '.join(FOR_ROBOTS)}, penetration, ray_cast, signed_distance, contains, "
    "swept_volume"
)
OBSTACLE_DEFORMS = "obstacle 'world' deforms: a robot's obstacles must be rigid"
NO_DEPTH = (
    "{verb} knows no fields, and {name} is one: use contacts, with within=, for how deep points and vertices "
    "are, or the shape that it was made of, or its mesh()"
)
ROBOT_AND_FIELD = "{verb} of a robot knows no fields, and {name} is one: use the mesh() of the field"
ONE_OTHER = "{verb} of a field is with one other thing: ask about each by itself"
DEFORMS = "{verb} is for rigid bodies, and {name} deforms: use first_contact"
NOT_TRACKED = "{verb} is for rigid bodies, and {name} deforms: ask about each step by itself"
NO_FEATURES = "{verb} lists features of meshes, and {name} is a {what}: use first_contact"
NO_FACES = "{verb} lists faces of meshes, and {name} is a {what}: use its mesh"
MOVES_RIGIDLY = (
    "{verb} is for deforming meshes, and {name} moves rigidly: use first_contact, or "
    "straight paths, {name}.shape.deforming({name}.vertices(0), {name}.vertices(1))"
)

FIELD_SWEPT = "{verb} knows no fields: use the shape that the field was made of, or its mesh()"
UNBOUNDED = "{verb} knows no half-spaces: they have no bounds"
OF_PARTS = "{verb} is of single shapes, and {name} is a Compound: ask about its parts"
HALF_SPACES = (
    "two half-spaces touch unless they are parallel and face away from each other: {verb} has no meaning for "
    "them, use distance or intersects"
)
NO_THICKNESS = (
    "{verb} knows no thickness, and {name} has one: use distance or first_contact, or a mesh without"
)
# Verbs that know no thickness of meshes.
THIN = frozenset(("penetration", "depths", "intersections"))
THIN |= {"ray_cast", "signed_distance", "contains", "swept_volume"}
NO_CLOUD = "{verb} knows no points and strands, and {name} is a {what}: use distance or first_contact"
IN_PLANE = "{verb} of a {what}, which is in the plane, is with another Polygon or Polyline: give two of these"
NOT_IN_PLANE = "{verb} knows no things in the plane, and {name} is a {what}: use its edges, in space"
