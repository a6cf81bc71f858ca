"""Fields of fields are what they say: of the lower or higher distance, exact where they say so."""

import numpy as np
import pytest

import firstcontact as fc
from oracles.point_meshes import distances_to_faces
from samples import sample

BALL, BOX = fc.Sphere(0.8), fc.Box([1.0, 1.0, 2.4])
TOLERANCE = 0.02


@pytest.fixture(scope="module")
def fields():
    return fc.DistanceField.of(BALL, TOLERANCE, margin=0.8), fc.DistanceField.of(BOX, TOLERANCE, margin=0.8)


def of_ball(points):
    return np.linalg.norm(points, axis=-1) - BALL.radius


def of_box(points):
    over = np.abs(points) - BOX.extents / 2
    return np.linalg.norm(np.maximum(over, 0), axis=-1) + np.minimum(over.max(axis=-1), 0)


def points_in(field, n=20_000):
    rng = np.random.default_rng(0)
    lower, upper = field.box
    inside = rng.uniform(lower, upper, (n, 3))
    on_grid = lower + np.round((inside[: n // 4] - lower) / (upper - lower) * 64) / 64 * (upper - lower)
    return np.concatenate([inside, on_grid])


RULES = {
    "union": np.minimum,
    "intersection": np.maximum,
    "difference": lambda a, b: np.maximum(a, -b),
}


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("tolerance", [None, 1e-3 * sample(30, of=25)])
def test_two_fields_are_one_to_its_tolerance(fields, name, tolerance):
    field = getattr(fields[0], name)(fields[1], tolerance)
    points = points_in(field)
    truth = RULES[name](of_ball(points), of_box(points))
    assert field.tolerance == (2 * TOLERANCE if tolerance is None else tolerance)
    assert np.abs(field(points) - truth).max() <= field.tolerance
    assert field.is_signed
    assert field.is_exact == ((True, False) if name == "union" else (False, True))
    assert (field.box[0] <= field.bounds[0]).all()
    assert (field.bounds[1] <= field.box[1]).all()


def test_what_is_not_exact_is_nowhere_larger(fields):
    """The distance to the surface of the union is that to the parts of both that are not in the other."""
    rng = np.random.default_rng(1)
    skins = [shape.mesh.vertices[shape.mesh.faces] for shape in (BALL, BOX)]
    on = [
        np.einsum("ni,nij->nj", rng.dirichlet([1, 1, 1], 20_000), s[rng.integers(0, len(s), 20_000)])
        for s in skins
    ]
    kept = np.concatenate([on[0][of_box(on[0]) > 0], on[1][of_ball(on[1]) > 0]])
    union = fields[0].union(fields[1])
    points = rng.uniform(-0.4, 0.4, (300, 3))
    depths = np.array([np.linalg.norm(kept - p, axis=1).min() for p in points])
    assert (union(points) < 0).all()
    assert (-union(points) <= depths + union.tolerance).all()


@pytest.mark.parametrize("distance", [-0.3, 0.0, 0.3])
def test_offsets_are_less_by_a_distance(fields, distance):
    field = fields[1].offset(distance)
    points = points_in(field)
    assert np.abs(field(points) - (of_box(points) - distance)).max() <= field.tolerance
    assert field.is_exact == (distance >= 0, distance <= 0)
    assert np.allclose(field.bounds, BOX.bounds + np.array([[-distance], [distance]]))


def test_open_meshes_have_unions_and_offsets_outwards():
    sheet = fc.Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
    other = fc.Mesh(sheet.vertices[:, [2, 1, 0]], sheet.faces)
    one, two = (fc.DistanceField.of(mesh, 0.05, margin=1.2) for mesh in (sheet, other))
    both = one.union(two)
    points = points_in(both, 2000)
    truth = np.minimum(*(distances_to_faces(points, m.vertices, m.faces).min(axis=1) for m in (sheet, other)))
    assert not both.is_signed
    assert np.abs(both(points) - truth).max() <= both.tolerance
    assert one.offset(0.2).is_signed
    with pytest.raises(ValueError, match="no offset inwards"):
        one.offset(-0.1)
    for name in ("intersection", "difference"):
        with pytest.raises(ValueError, match=f"the {name} of fields needs an inside of both"):
            getattr(one, name)(two)


def test_combined_fields_come_back_from_files(fields, tmp_path):
    field = fields[0].difference(fields[1].offset(-0.1), 0.1)
    field.save(tmp_path / "field.npz")
    again = fc.DistanceField.load(tmp_path / "field.npz")
    assert again == field
    assert again.is_exact == field.is_exact == (False, False)


def test_what_does_not_go_is_refused_in_a_sentence(fields):
    ball, box = fields
    small = fc.DistanceField.of(fc.Sphere(0.1), 0.02, margin=0.05)
    with pytest.raises(ValueError, match=r"must be larger than those of the fields, 0\.02; received 0\.02"):
        ball.union(box, 0.02)
    with pytest.raises(ValueError, match=r"the union leaves the box .* make them with more margin"):
        ball.union(small)
    with pytest.raises(ValueError, match="the offset leaves the box"):
        ball.offset(5.0)
    with pytest.raises(ValueError, match="leaves nothing of the shape"):
        ball.offset(-1.0)
    with pytest.raises(ValueError, match="an offset inwards needs a field that is exact there"):
        ball.union(box).offset(-0.05)
    with pytest.raises(ValueError, match="an offset outwards needs a field that is exact there"):
        ball.intersection(box).offset(0.05)
    with pytest.raises(TypeError, match="the union is of two fields; received"):
        ball.union(BALL)
    with pytest.raises(ValueError, match="max_cells=10 cells"):
        ball.union(box, max_cells=10)
    far = fc.Mesh(fc.Box([1, 1, 1]).mesh.vertices + 9, fc.Box([1, 1, 1]).mesh.faces)
    apart = fc.DistanceField.of(far, 0.1)
    with pytest.raises(ValueError, match="their bounds have nothing in common"):
        ball.intersection(apart)
    with pytest.raises(ValueError, match="boxes of the fields have nothing in common"):
        ball.union(apart)
