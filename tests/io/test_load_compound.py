"""Files of compounds, through the public door."""

from contextlib import suppress

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.io import load_compound as home
from firstcontact.shapes.compound import Deviation, standing_for

RNG = np.random.default_rng(0)
SHAPES = [
    fc.Sphere(0.1),
    fc.Ellipsoid([1, 2, 3]),
    fc.Capsule(0.3, 2),
    fc.Box([1, 2, 3]),
    fc.Cylinder(0.3, 2),
    fc.Cone(0.3, 2),
    fc.ConvexHull(RNG.normal(size=(9, 3))),
    fc.ConvexHull([[1, 2, 3]], flat=True),
    fc.Rounded(fc.Rounded(fc.Box([1, 2, 3]), 0.1), 0.3),
    fc.HeightField(RNG.random((3, 4)), (0.5, 2)),
    fc.Box([1, 1, 1]).mesh,
    fc.Points(RNG.random((4, 3)), RNG.random(4)),
    fc.Strands(RNG.random((5, 3)), [3, 1, 1], 0.1),
    fc.Voxels([[0, 0, 0], [3, -2, 5]], 0.25, [0.5, -0.75, 0]),
    *(fc.Mesh([], []), fc.Points([]), fc.Strands([], []), fc.Voxels([], 2)),
]


def pose(seed):
    return Rotation.random(random_state=seed).as_matrix(), np.random.default_rng(seed).normal(size=3)


def changed(file, **arrays):
    """The file with some other arrays."""
    with np.load(file) as before:
        np.savez(file, **(dict(before) | arrays))


@pytest.fixture
def file(tmp_path):
    fc.Compound([fc.Box([1, 2, 3]), fc.Rounded(fc.Sphere(1), 0.5)]).save(tmp_path / "a.npz")
    return tmp_path / "a.npz"


def test_what_is_saved_is_loaded_to_the_last_bit(tmp_path):
    inner = fc.Compound([shape.at(pose(k)) for k, shape in enumerate(SHAPES)])
    whole = fc.Compound([inner.at(pose(100)), fc.Sphere(1)])
    whole.save(tmp_path / "a.NPZ")
    found = fc.load_compound(str(tmp_path / "a.NPZ"))
    assert found.deviation is None
    for one, other in zip(whole.parts, found.parts, strict=True):
        assert type(one.shape) is type(other.shape)
        assert one.pose.tolist() == other.pose.tolist()
        _, content = home._written(one.shape)
        _, again = home._written(other.shape)
        assert [array.tolist() for array in content] == [array.tolist() for array in again]
    assert np.array_equal(found.bounds, whole.bounds)


def test_a_deviation_is_kept_and_nothing_is_a_compound_too(tmp_path):
    standing_for([fc.Sphere(1)], Deviation(0.25, 0.125)).save(tmp_path / "a.npz")
    assert fc.load_compound(tmp_path / "a.npz").deviation == (0.25, 0.125)
    fc.Compound([]).save(tmp_path / "a.npz")
    assert fc.load_compound(tmp_path / "a.npz").parts == ()


def test_shapes_of_a_users_own_are_written_as_what_they_are_based_on(tmp_path):
    def ball(directions):
        return directions

    fc.Compound([fc.ConvexSupport(ball, tolerance=0.1)]).save(tmp_path / "a.npz")
    assert type(fc.load_compound(tmp_path / "a.npz").parts[0].shape) is fc.ConvexHull


def test_what_a_file_does_not_take_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"^file must end in \.npz; received"):
        fc.Compound([]).save(tmp_path / "a.bt")
    with pytest.raises(ValueError, match=r"^a file takes 65,536 parts; the compound has 65,537$"):
        fc.Compound([fc.Compound([fc.Sphere(1)] * 257)] * 255 + [fc.Sphere(1)] * 2).save(tmp_path / "a.npz")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arrays", "told"),
    [
        ({"format": np.int64(2)}, "its format is 2, and 1 is known"),
        ({"kinds": np.array(["Box", "Torus"])}, "there is no kind 'Torus'"),
        ({"kinds": np.array(["Box", "Rounded"])}, "there is no kind 'Rounded'"),
        ({"kinds": np.array(["Rounded Rounded Box", "Box"])}, "there is no kind 'Rounded Rounded"),
        ({"kinds": np.array(["Box", "Rounded Points"])}, "a Points is made of something else"),
        ({"kinds": np.array(["Box", "Rounded Box"])}, "a Box is made of something else"),
        ({"kinds": np.array([1, 2])}, "kinds is not as it should be"),
        ({"kinds": np.array("Box")}, "kinds is not as it should be"),
        ({"kinds": np.array(["Box"])}, "poses is not as it should be"),
        ({"kinds": np.array(["Box", "Sphere"])}, "a Sphere is made of something else"),
        ({"kinds": np.array(["Box", "HeightField"])}, "a HeightField is made of something else"),
        ({"kinds": np.array(["Box", "Mesh"])}, "a Mesh is made of something else"),
        ({"kinds": np.array(["Box", "Voxels"])}, "a Voxels is made of something else"),
        ({"kinds": np.array(["Box", "Strands"])}, "a Strands is made of something else"),
        ({"kinds": np.array(["Box", "ConvexHull"])}, "a ConvexHull is made of something else"),
        ({"poses": np.zeros((2, 4, 4))}, "pose"),
        ({"poses": np.full((2, 4, 4), np.nan)}, "pose"),
        ({"numbers": np.array([1, 2, 3, 0.5, -1.0])}, "radius must be positive"),
        ({"numbers": np.ones((5, 1))}, "numbers is not as it should be"),
        ({"points": np.ones((2, 3))}, "counts_of_parts do not fit what it has"),
        ({"points": np.float64(1)}, "points is not as it should be"),
        ({"counts_of_parts": np.array([[6, 0, 0], [-1, 0, 0]])}, "counts_of_parts do not fit what it has"),
        ({"counts_of_parts": np.full((2, 3), 2**62)}, "counts_of_parts do not fit what it has"),
        ({"deviation": np.array([0.1])}, "deviation is not as it should be"),
        ({"deviation": np.array([0.1, np.nan])}, "deviation is not as it should be"),
        ({"deviation": np.array([0.1, -1])}, "deviation is not as it should be"),
        ({"ids": np.array([], object)}, "Object arrays cannot be loaded"),
    ],
)
def test_arrays_of_something_else_are_refused_in_a_sentence(file, arrays, told):
    changed(file, **arrays)
    with pytest.raises(fc.MeshFileError, match=f"a.npz cannot be read: .*{told}") as caught:
        fc.load_compound(file)
    assert "\n" not in str(caught.value)


def test_damaged_files_are_refused_in_a_sentence(file):
    whole, rng = file.read_bytes(), np.random.default_rng(1)
    for _ in range(80):
        damaged = bytearray(whole[: int(rng.integers(1, len(whole)))] if rng.random() < 0.3 else whole)
        for _ in range(int(rng.integers(1, 4))):
            damaged[int(rng.integers(len(damaged)))] = int(rng.integers(256))
        file.write_bytes(bytes(damaged))
        with suppress(fc.MeshFileError):  # no other error
            assert isinstance(fc.load_compound(file), fc.Compound)


def test_too_many_parts_are_refused(file, monkeypatch):
    monkeypatch.setattr(home, "MOST_PARTS", 1)
    with pytest.raises(fc.MeshFileError, match="it has 2 parts; 1 can be read"):
        fc.load_compound(file)
