import numpy as np
import pytest

import firstcontact as fc
from firstcontact.scene.bodies import Bodies
from firstcontact.scene.body_names import as_bodies
from firstcontact.scene.body_rows import CONVEX, DEFORMING, IN_PIECES, MESH
from firstcontact.shapes.convex import RADIUS
from scene.scenes import SHAPES, random_things


def bodies_of(things):
    bodies = Bodies()
    bodies.add(as_bodies(things, {}))
    return bodies


def boxes_of(bodies):
    return bodies.boxes(np.zeros(bodies.n_rows))


def test_kinds_are_told_apart():
    mesh, poses = SHAPES[1].mesh, np.tile(np.eye(4), (3, 1, 1))
    things = {
        "shape": SHAPES[0],
        "mesh": mesh,
        "path": SHAPES[0].along(poses),
        "cloth": mesh.deforming(mesh.vertices, mesh.vertices),
    }
    assert bodies_of(things).columns.kinds[:4].tolist() == [CONVEX, MESH, IN_PIECES, DEFORMING]


def test_boxes_hold_the_bodies_through_the_step():
    things = random_things(40, 3, meshes=True)
    boxes = boxes_of(bodies_of(things))
    for box, thing in zip(boxes, things.values(), strict=True):
        for t in np.linspace(0.0, 1.0, 9):
            if isinstance(thing.shape, fc.Mesh):
                points = thing.vertices(t)
            else:
                points = thing.motion.vertices(t, thing.shape.mesh.vertices)
            assert (points >= box[:3] - 1e-12).all()
            assert (points <= box[3:] + 1e-12).all()


def test_updates_and_clearing_leave_nothing_behind():
    rng = np.random.default_rng(2)
    things = random_things(20, 4, meshes=True)
    bodies = bodies_of(things)
    boxes_of(bodies)
    for name in ("body 3", "mesh 1", "cloth"):
        del things[name]
        bodies.remove(name)
    others = list(random_things(20, 5).values())
    for name in ("body 1", "mesh 0", "body 7"):
        things[name] = others[rng.integers(20)]
    bodies.update({name: things[name] for name in ("body 1", "mesh 0", "body 7")})
    fresh, cleared = bodies_of(things), bodies.cleared()
    assert boxes_of(cleared).tobytes() == boxes_of(fresh).tobytes()
    assert cleared.names == fresh.names
    assert cleared.table().records.shape == fresh.table().records.shape
    assert cleared.columns.ids.tolist() == [i for i in range(24) if i not in (3, 21, 23)]


def test_a_snapshot_stays_as_it_is():
    bodies = bodies_of({"ball": SHAPES[0].at((np.eye(3), [1, 2, 3]))})
    then = bodies.snapshot()
    bodies.update(as_bodies({"ball": SHAPES[1]}, {}))
    bodies.remove("ball")
    assert then.thing(0).pose(0)[:3, 3].tolist() == [1, 2, 3]
    assert then.thing(0).shape is SHAPES[0]
    assert then.row_of == {"ball": 0}


def test_shapes_that_are_shared_are_kept_once():
    bodies = bodies_of({f"{i}": SHAPES[i % 2] for i in range(50)})
    assert len(bodies.table().records) == 2


def test_shapes_without_a_body_are_dropped_once_they_are_many():
    bodies = bodies_of({"ball": SHAPES[0], "mesh": SHAPES[1].mesh})
    for i in range(500):
        bodies.update(as_bodies({"ball": fc.Sphere(1.0 + i)}, {}))
        assert len(bodies.table().records) < 80
        assert bodies.table().records[bodies.columns.shape_ids[0], RADIUS] == 1.0 + i


def test_rows_of_ids():
    bodies = bodies_of({f"{i}": SHAPES[0] for i in range(4)})
    bodies.remove("1")
    assert bodies.rows_of_ids(np.array([3, 1, 0, 9, -1])).tolist() == [3, -1, 0, -1, -1]
    assert Bodies().rows_of_ids(np.array([0])).tolist() == [-1]


@pytest.mark.parametrize("name", ["", "a b", "π"])
def test_any_string_is_a_name(name):
    assert bodies_of({name: SHAPES[0]}).row_of == {name: 0}
