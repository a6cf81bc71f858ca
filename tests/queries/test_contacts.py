"""What the queries over a step take and give back: results, errors, degenerate input."""

import numpy as np
import pytest
import trimesh

import firstcontact as fc
from properties.meshes import FAMILIES, FIELDS, fields_as_bytes, generate, moving_scene, rows_by_pair

FLOOR = fc.Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
LEAF = fc.Mesh([[0, 0, 1], [1, 0, 2], [0, 1, 2]], [[0, 1, 2]])
FALLING = LEAF.deforming(LEAF.vertices, LEAF.vertices - [0, 0, 4])
QUERIES = (fc.contacts, fc.first_contact, fc.safe_step)

every_query = pytest.mark.parametrize("query", QUERIES)
every_family = pytest.mark.parametrize("family", FAMILIES)
# Meshes that wave or rest stay apart: they have nothing to list.
every_touching_family = pytest.mark.parametrize("family", sorted(FAMILIES.keys() - {"waving", "at rest"}))


def answer_of(query, *things, **options):
    """Whether a query finds nothing; all of them must agree."""
    answer = query(*things, **options)
    if query is fc.contacts:
        return len(answer) == 0
    return answer == 1.0 if query is fc.safe_step else not answer


def test_a_leaf_falls_on_the_floor():
    contacts = fc.contacts(FALLING, FLOOR, time_tolerance=0.0)
    assert contacts.kind.tolist() == [fc.ContactKind.VERTEX_FACE] * 3
    assert contacts.ids_a.tolist() == [0, 1, 2]
    assert contacts.ids_b.tolist() == [0, 0, 0]
    assert contacts.vertex_ids.tolist() == [[0, 0, 1, 2], [1, 0, 1, 2], [2, 0, 1, 2]]
    assert np.all(contacts.time <= [0.25, 0.5, 0.5])
    assert np.all(contacts.time_upper >= [0.25, 0.5, 0.5])
    np.testing.assert_allclose(contacts.points, [[0, 0, 0], [1, 0, 0], [0, 1, 0]], atol=1e-12)
    np.testing.assert_allclose(contacts.normals, [[0, 0, -1]] * 3, atol=1e-12)
    assert contacts.status.tolist() == [fc.Status.CONTACT] * 3
    assert repr(contacts) == "Contacts(3, first at 0.25)"


def test_the_floor_is_hit_by_a_leaf():
    contacts = fc.contacts(FLOOR, FALLING)
    assert contacts.kind.tolist() == [fc.ContactKind.FACE_VERTEX] * 3
    assert contacts.ids_a.tolist() == [0, 0, 0]
    assert contacts.ids_b.tolist() == [0, 1, 2]
    assert contacts.vertex_ids.tolist() == [[0, 0, 1, 2], [1, 0, 1, 2], [2, 0, 1, 2]]
    np.testing.assert_allclose(contacts.normals, [[0, 0, 1]] * 3, atol=1e-12)


def test_two_edges_cross():
    bar = fc.Mesh([[-1, 0, 1], [1, 0, 1], [0, 0, 9]], [[0, 1, 2]])
    beam = fc.Mesh([[0, -1, 0], [0, 1, 0], [0, 0, -9]], [[0, 1, 2]])
    contacts = fc.contacts(bar.deforming(bar.vertices, bar.vertices - [0, 0, 1.5]), beam)
    assert contacts.kind.tolist() == [fc.ContactKind.EDGE_EDGE]
    assert bar.edges[contacts.ids_a[0]].tolist() == beam.edges[contacts.ids_b[0]].tolist() == [0, 1]
    assert contacts.vertex_ids.tolist() == [[0, 1, 0, 1]]
    assert contacts.time[0] <= 2 / 3 <= contacts.time_upper[0]
    np.testing.assert_allclose(contacts.weights, [[0.5] * 4])
    np.testing.assert_allclose(contacts.normals, [[0, 0, -1]], atol=1e-12)


def test_normals_with_a_separation_are_the_line_between_the_closest_points():
    contacts = fc.contacts(FALLING, FLOOR, min_separation=0.5)
    assert contacts.time[0] <= 0.125 <= contacts.time_upper[0]
    np.testing.assert_allclose(contacts.normals[0], [0, 0, -1], atol=1e-7)
    np.testing.assert_allclose(contacts.points[0], [0, 0, 0.25], atol=1e-7)
    sideways = LEAF.deforming(LEAF.vertices - [0, 0, 1], LEAF.vertices - [0, 0, 1] + [0, 4, 0])
    wall = fc.Mesh([[-9, 3, -9], [9, 3, -9], [0, 3, 9]], [[0, 1, 2]])
    first = fc.first_contact(sideways, wall, min_separation=1.0)
    assert first.time <= 0.25 <= first.time_upper
    np.testing.assert_allclose(first.normals, [[0, 1, 0]], atol=1e-7)


@every_family
def test_types_and_shapes_of_results(family):
    contacts = fc.contacts(*moving_scene(generate(family, 60)))
    n = len(contacts)
    whole = "thing_ids", "ids_a", "ids_b", "vertex_ids"
    types = {"kind": np.int8, "status": np.int8} | dict.fromkeys(whole, np.int32)
    places = dict.fromkeys(("points", "normals", "velocities"), (3,))
    widths = {"thing_ids": (2,), "vertex_ids": (4,), "weights": (4,)} | places
    for name in FIELDS:
        array = getattr(contacts, name)
        assert array.dtype == types.get(name, np.float64), name
        assert array.shape == (n, *widths.get(name, ())), name
        assert array.flags.writeable
        assert array.flags.c_contiguous
    first = fc.first_contact(*moving_scene(generate(family, 60)))
    assert isinstance(first.status, fc.Status)
    assert type(first.time) is type(first.time_upper) is float
    assert (first.points.shape[1], first.normals.shape[1], first.features.shape[1]) == (3, 3, 3)
    assert first.features.dtype == np.int32
    assert type(fc.safe_step(*moving_scene(generate(family, 60)))) is float


@every_touching_family
def test_vertex_ids_are_those_of_the_features(family):
    n_rows = 0
    for seed in range(60, 64):
        scene = moving_scene(generate(family, seed))
        contacts = fc.contacts(*scene)
        a, b = scene[0].shape, scene[-1].shape
        for row, (kind, i, j) in enumerate(rows_by_pair(contacts)):
            if kind >= fc.ContactKind.EDGE_FACE:  # of five vertices, which are told by the ids
                assert contacts.vertex_ids[row].tolist() == [-1] * 4
                continue
            if kind == fc.ContactKind.EDGE_EDGE:
                expected = [*a.edges[i], *b.edges[j]]
            else:
                expected = [i, *b.faces[j]] if kind == fc.ContactKind.VERTEX_FACE else [j, *a.faces[i]]
            assert contacts.vertex_ids[row].tolist() == expected
            n_rows += 1
    assert n_rows > 0


def positions_of(scene, contacts, row):
    """The four points of a contact, at its time."""
    on_a = [thing.vertices(float(contacts.time[row])) for thing in (scene[0], scene[-1])]
    n_first = 2 if contacts.kind[row] == fc.ContactKind.EDGE_EDGE else 1
    sides = [0] * n_first + [1] * (4 - n_first)
    if contacts.kind[row] == fc.ContactKind.FACE_VERTEX:
        sides = [1, 0, 0, 0]
    return np.array([on_a[side][v] for side, v in zip(sides, contacts.vertex_ids[row], strict=True)])


@every_touching_family
def test_weights_make_the_points_and_normals_are_of_unit_length(family):
    n_rows = 0
    for seed in range(60, 64):
        scene = moving_scene(generate(family, seed))
        contacts = fc.contacts(*scene)
        n_rows += len(contacts)
        is_through = contacts.kind >= fc.ContactKind.EDGE_FACE
        weights = contacts.weights[~is_through]
        assert np.all((weights >= 0.0) & (weights <= 1.0))
        assert np.all(np.isnan(contacts.weights[is_through]))
        np.testing.assert_allclose(np.linalg.norm(contacts.normals, axis=1), 1.0, rtol=1e-12)
        for row in np.flatnonzero(~is_through):
            points, weights = positions_of(scene, contacts, row), contacts.weights[row]
            first = [0, 1] if contacts.kind[row] == fc.ContactKind.EDGE_EDGE else [0]
            second = [k for k in range(4) if k not in first]
            for side in (first, second):
                assert weights[side].sum() == pytest.approx(1.0, abs=1e-12)
                # The sides touch within the tolerance of the time, at speeds of a few units.
                np.testing.assert_allclose(weights[side] @ points[side], contacts.points[row], atol=1e-7)
    assert n_rows > 0


@pytest.mark.parametrize("family", ["squashed", "folded flat", "lattice soup", "rolling"])
def test_rows_are_sorted_by_time_kind_and_ids(family):
    n_rows = 0
    for seed in range(60, 64):
        contacts = fc.contacts(*moving_scene(generate(family, seed)))
        n_rows += len(contacts)
        columns = (contacts.ids_b, contacts.ids_a, contacts.kind, contacts.time)
        np.testing.assert_array_equal(np.lexsort(columns), np.arange(len(contacts)))
    assert n_rows > 4


def test_counts_add_up():
    stats = fc.contacts(*moving_scene(generate("squashed", 60))).stats
    decided = stats.solved + stats.advanced + stats.refined + stats.ties + stats.exact
    assert decided <= stats.elementary_tests - stats.filtered
    assert stats.elementary_tests <= stats.feature_pairs
    assert len(stats.trees) == 1
    assert set(stats.seconds) == {"bounds", "search", "settling", "total"}
    assert all(seconds >= 0.0 for seconds in stats.seconds.values())


@every_query
def test_empty_and_lonely_meshes_touch_nothing(query):
    empty, point = fc.Mesh([], []), fc.Mesh([[0, 0, 0]], [])
    for things in (
        (empty,),
        (point,),
        (LEAF,),
        (empty, empty),
        (empty, FALLING),
        (FALLING, empty),
        (LEAF, FLOOR),
    ):
        for separation in (0.0, 0.5):
            assert answer_of(query, *things, min_separation=separation)
    corner = fc.Mesh([[0, 0, 0]], [[0, 0, 0]])
    assert answer_of(query, corner.deforming([[0, 0, 0]], [[1, 1, 1]]))
    assert repr(fc.contacts(empty)) == "Contacts(none)"


@every_query
def test_a_vertex_without_a_face_touches_nothing(query):
    mesh = fc.Mesh([*FLOOR.vertices, [0, 0, 1]], FLOOR.faces)
    passing = mesh.deforming(mesh.vertices, [*FLOOR.vertices, [0, 0, -1]])
    assert answer_of(query, passing)
    assert answer_of(query, passing, fc.Mesh(FLOOR.vertices - [0, 0, 5], FLOOR.faces))
    assert answer_of(query, fc.Mesh([[0, 0, 1]], []).deforming([[0, 0, 1]], [[0, 0, -1]]), FLOOR)


def test_a_face_that_is_a_point_touches_as_a_vertex_and_as_an_edge():
    point = fc.Mesh([[0, 0, 1]], [[0, 0, 0]])
    contacts = fc.contacts(point.deforming([[0, 0, 1]], [[0, 0, -1]]), FLOOR)
    assert rows_by_pair(contacts).keys() == {(0, 0, 0)}
    at_edge = fc.contacts(point.deforming([[0, -9, 1]], [[0, -9, -1]]), FLOOR)
    assert rows_by_pair(at_edge).keys() == {(0, 0, 0), (1, 0, 0)}


def test_everything_in_contact_at_the_start():
    twin = fc.Mesh(FLOOR.vertices, FLOOR.faces)
    contacts = fc.contacts(FLOOR, twin)
    assert np.all(contacts.status == fc.Status.CONTACT_AT_START)
    assert np.all(contacts.time == 0.0)
    assert np.all(contacts.time_upper == 0.0)
    assert len(contacts) == 3 + 9 + 3
    at_rest = FLOOR.deforming(FLOOR.vertices, FLOOR.vertices)  # as such, decided exactly
    first = fc.first_contact(at_rest, twin)
    assert (first.status, first.time, first.time_upper) == (fc.Status.CONTACT_AT_START, 0.0, 0.0)
    assert fc.safe_step(FLOOR, twin) == 0.0


def test_one_mesh_may_be_on_both_sides():
    away = FLOOR.deforming(FLOOR.vertices - [0, 0, -1], FLOOR.vertices - [0, 0, 1])
    contacts = fc.contacts(away, FLOOR)
    assert fields_as_bytes(contacts) == fields_as_bytes(
        fc.contacts(away, fc.Mesh(FLOOR.vertices, FLOOR.faces))
    )
    assert contacts.time[0] <= 0.5 <= contacts.time_upper[0]


@pytest.mark.parametrize("scale", [2.0**-1060, 1e-300, 1e-160, 1e40])
def test_tiny_and_huge_coordinates(scale):
    leaf = LEAF.deforming(scale * LEAF.vertices, scale * (LEAF.vertices - [0, 0, 4]))
    floor = fc.Mesh(scale * FLOOR.vertices, FLOOR.faces)
    contacts = fc.contacts(leaf, floor)
    assert rows_by_pair(contacts).keys() == {(0, 0, 0), (0, 1, 0), (0, 2, 0)}
    assert contacts.time[0] <= 0.25 <= contacts.time_upper[0] + 1e-12
    assert np.all(np.isfinite(contacts.points))
    assert np.all(np.isfinite(contacts.normals))


def test_a_trimesh_stands_still():
    box = trimesh.creation.box()
    far, near = box.vertices - [5, 0, 0], box.vertices - [0.5, 0, 0]
    moving = fc.Mesh.from_trimesh(box).deforming(far, near)
    assert fc.first_contact(moving, box).time == pytest.approx(4 / 4.5)
    assert fc.safe_step(box, moving) == fc.safe_step(moving, box)


def test_input_is_neither_changed_nor_aliased():
    start, end, faces = LEAF.vertices.copy(), LEAF.vertices - [0, 0, 4], LEAF.faces.copy()
    mesh = fc.Mesh(start, faces)
    moving = mesh.deforming(start, end)
    expected = fields_as_bytes(fc.contacts(moving, FLOOR))
    for array in (start, end, faces):
        array[:] = 0
    contacts = fc.contacts(moving, FLOOR)
    assert fields_as_bytes(contacts) == expected
    for name in FIELDS:
        getattr(contacts, name)[:] = 0
    assert fields_as_bytes(fc.contacts(moving, FLOOR)) == expected
    first = fc.first_contact(moving, FLOOR)
    first.features[:] = first.points[:] = first.normals[:] = 7
    assert fc.first_contact(moving, FLOOR).features.tolist() == [[0, 0, 0]]


def test_results_are_frozen():
    with pytest.raises(AttributeError):
        fc.contacts(FALLING, FLOOR).time = None
    with pytest.raises(AttributeError):
        fc.first_contact(FALLING, FLOOR).time = 0.0


@pytest.mark.parametrize("query", [fc.contacts, fc.first_contact, fc.safe_step])
def test_progress_is_shown_on_request_and_changes_nothing(query, capsys):
    silent = query(FALLING, FLOOR)
    assert capsys.readouterr() == ("", "")
    shown = query(FALLING, FLOOR, progress=True)
    assert "searching" in capsys.readouterr().err
    assert np.all(getattr(silent, "time", silent) == getattr(shown, "time", shown))


@every_query
def test_bad_options_are_told(query):
    with pytest.raises(ValueError, match=r"^min_separation must be a finite number at least 0; received -1$"):
        query(FALLING, FLOOR, min_separation=-1)
    with pytest.raises(
        ValueError, match=r"^min_separation must be a finite number at least 0; received nan$"
    ):
        query(FALLING, FLOOR, min_separation=float("nan"))
    with pytest.raises(TypeError, match=r"^min_separation must be a number; received '1'$"):
        query(FALLING, FLOOR, min_separation="1")
    with pytest.raises(TypeError, match=r"^exact must be True or False; received 1$"):
        query(FALLING, FLOOR, exact=1)
    with pytest.raises(TypeError, match=r"^progress must be True or False; received 'yes'$"):
        query(FALLING, FLOOR, progress="yes")
    with pytest.raises(TypeError, match=r"^culling must be a firstcontact\.Culling; received dict$"):
        query(FALLING, FLOOR, culling={"dop": 6})


def test_bad_tolerances_are_told():
    with pytest.raises(
        ValueError, match=r"^time_tolerance must be a finite number at least 0; received -1e-09"
    ):
        fc.contacts(FALLING, FLOOR, time_tolerance=-1e-9)


@every_query
@pytest.mark.parametrize("thing", [None, "leaf.obj", np.zeros((3, 3)), 7, [7]])
def test_what_is_no_mesh_is_told(query, thing):
    rule = r"must be a shape, moving or not, or a trimesh\.Trimesh; received "
    with pytest.raises(TypeError, match=rule):
        query(thing)
    if thing is not None:
        with pytest.raises(TypeError, match=rule):
            query(FALLING, thing)


def test_culling_is_checked():
    with pytest.raises(ValueError, match=r"^dop must be one of 6, 14, 16, 18, 26; received 8$"):
        fc.Culling(dop=8)
    with pytest.raises(ValueError, match="dop must be one of"):
        fc.Culling(dop=True)
    with pytest.raises(TypeError, match=r"^normal_cones must be True or False; received 1$"):
        fc.Culling(normal_cones=1)
    with pytest.raises(TypeError):
        fc.Culling(6)
