"""One answer of every class, small."""

import numpy as np

import firstcontact as fc
from when_asked import WhenAsked

HERE, THERE = np.eye(4), np.eye(4)
THERE[0, 3] = 5.0
BALL, BOX = fc.Sphere(0.5), fc.Box([1, 1, 1])
CUBE = BOX.mesh
FIELDS = WhenAsked(lambda radius: fc.DistanceField.of(fc.Sphere(radius), 0.05))
RAISED = CUBE.vertices + np.array([0, 0, 3])
ARM = fc.Robot(
    {"base": (), "arm": fc.Capsule(0.05, 1), "hand": CUBE.at((np.eye(3), [0, 0, 1]))},
    [
        fc.Joint("hinge", "revolute", "base", "arm", axis=[0, 1, 0]),
        fc.Joint("wrist", "prismatic", "arm", "hand", axis=[0, 0, 1]),
    ],
    name="arm",
)
OBSTACLES = {"ball": BALL.at((np.eye(3), [1.5, 0, 0.9])), "cube": CUBE.at((np.eye(3), [0, 9, 0]))}
ENDS = [[3.0, 0.0], [0.1, 0.0], [-1.0, 0.0]]


def path():
    return ARM.moving([0.0, 0.0], ENDS[0])


def paths():
    return ARM.moving(np.zeros((3, 2)), ENDS)


def scene():
    return fc.Scene(
        box=BOX,
        ball=BALL.moving(THERE, HERE),
        cube=CUBE.at(THERE),
        cloth=CUBE.deforming(RAISED, CUBE.vertices),
    )


def leaf(z):
    return np.array([[[0.2, 0.2, z], [0, 0, 0], [1, 0, 0], [0, 1, 0]]], float)


def rays(**options):
    return fc.ray_cast(CUBE, [[-3, 0.1, 0.2], [-3, 9, 0]], [[1, 0, 0], [1, 0, 0]], **options)


def robot_contacts():
    found = fc.first_contacts(paths(), OBSTACLES)
    assert len(found.time_upper) == 3  # which travels where it was asked for
    return found


# By a name: how to ask.
ASK = {
    "Contacts": lambda: fc.contacts(CUBE.deforming(RAISED, CUBE.vertices), CUBE),
    "no Contacts": lambda: fc.contacts(CUBE.at(THERE), CUBE),
    "Intersections": lambda: fc.intersections(CUBE.at((np.eye(3), [0.5, 0.5, 0.5])), CUBE),
    "MeshReport": CUBE.report,
    "Voronoi": lambda: fc.voronoi([[0.0, 0.0], [1.0, 1.0]], [[0, 0], [1, 2]], 4),
    "VoronoiBoundary": lambda: fc.voronoi([[0.0, 0.0], [1.0, 1.0]], [[0, 0], [1, 2]], 4).boundary(),
    "SweptVolume": lambda: fc.swept_volume(BALL.moving(HERE, THERE), 0.2),
    "SequenceContacts": lambda: fc.sequence([RAISED, CUBE.vertices, RAISED], CUBE),
    "ContactIntervals": lambda: fc.contact_intervals(CUBE.moving(THERE, HERE), BALL),
    "ContactIntervals of many": lambda: fc.contact_intervals(BALL.moving(np.stack([THERE, HERE]), HERE), BOX),
    "RobotIntervals": lambda: fc.contact_intervals(path(), OBSTACLES),
    "RobotIntervals of many": lambda: fc.contact_intervals(paths(), OBSTACLES),
    "RobotClearance": lambda: fc.clearance(path(), OBSTACLES),
    "RobotClearance of many": lambda: fc.clearance(paths(), OBSTACLES),
    "Clearance": lambda: fc.clearance(CUBE.moving(THERE, HERE), BALL),
    "Clearance of many": lambda: fc.clearance(BALL.moving(np.stack([THERE, HERE]), HERE), BOX),
    "SignedDistances": lambda: fc.signed_distance(CUBE, [[0.1, 0.2, 3], [0.1, 0.2, 0.3]]),
    "SphereTree": lambda: CUBE.sphere_tree(2),
    "PairDistances": lambda: fc.candidates(CUBE, BALL.mesh, inflate=1).distances(within=1, gradient=True),
    "NearPairs": lambda: fc.near(CUBE, BALL.at([HERE, THERE]), within=9),
    "NearPairs of a robot": lambda: fc.near(ARM.at([0.0, 0.0]), OBSTACLES, within=9),
    "NearPaths": lambda: fc.near(path(), OBSTACLES, within=9),
    "NearPairs of a scene": lambda: fc.Scene(box=BOX, ball=BALL.at(THERE)).near(within=9),
    "Neighbors": lambda: fc.neighbors(CUBE.vertices, 1, distances=True),
    "FieldContacts": lambda: fc.contacts(CUBE, FIELDS[0.8], within=0.1),
    "Penalty": lambda: fc.contacts(CUBE, FIELDS[0.8], within=0.1).penalty(10.0),
    "FirstContact": lambda: fc.first_contact(CUBE.moving(THERE, HERE), CUBE),
    "FirstContact of balls": lambda: fc.first_contact(BALL.moving(THERE, HERE), BALL),
    "no FirstContact": lambda: fc.first_contact(BALL.at(THERE), BALL),
    "FirstContacts": lambda: fc.first_contacts(BALL.moving([THERE, THERE], [HERE, THERE]), BOX),
    "RobotContact": lambda: fc.first_contact(path(), OBSTACLES),
    "no RobotContact": lambda: fc.first_contact(path(), OBSTACLES["cube"], self_contact=True),
    "RobotContacts": robot_contacts,
    "one of RobotContacts": lambda: fc.first_contacts(paths(), OBSTACLES)[0],
    "RobotDistance": lambda: fc.distance(ARM.at([0.0, 0.0]), OBSTACLES),
    "RobotDistances": lambda: fc.distance(ARM.at([[0.0, 0.0], [1.0, 0.0]]), OBSTACLES),
    "RobotPenetration": lambda: fc.penetration(ARM.at([1.0, 0.0]), OBSTACLES["ball"]),
    "RobotPenetrations": lambda: fc.penetration(ARM.at([[0.0, 0.0], [1.0, 0.0]]), OBSTACLES["ball"]),
    "SceneClearance": lambda: fc.Scene(box=BOX, ball=BALL.moving(THERE, HERE)).clearance(),
    "no SceneClearance": lambda: fc.Scene(box=BOX).clearance(),
    "SceneContact": lambda: scene().first_contact(),
    "no SceneContact": lambda: fc.Scene(box=BOX).first_contact(),
    "SceneContacts": lambda: scene().contacts(),
    "SceneRayHits": lambda: scene().ray_cast([0.1, 0.2, 9], [0, 0, -1]),
    "Distance": lambda: fc.distance(CUBE.at(THERE), CUBE),
    "Distances": lambda: fc.distance(BALL.at([HERE, THERE]), BOX),
    "Depths": lambda: fc.depths(CUBE.at((np.eye(3), [0.6, 0.5, 0.4])), CUBE),
    "no Depths": lambda: fc.depths(CUBE),
    "Penetration": lambda: fc.penetration(BALL, BOX),
    "no Penetration": lambda: fc.penetration(BALL.at(THERE), BOX),
    "RayHits": rays,
    "AllRayHits": lambda: rays(hits="all"),
    "ElementaryContacts": lambda: fc.vertex_face_ccd(leaf(1), leaf(-1)),
    "ElementaryTimes": lambda: fc.vertex_face_ccd(leaf(1), leaf(-1), all_times=True),
    "Certificate": lambda: fc.first_contact(path(), OBSTACLES).certificate,
}
