"""Fields come back from files as they were; files that hold none are refused."""

import zipfile

import numpy as np
import pytest

import firstcontact as fc


@pytest.fixture(scope="module")
def field():
    return fc.DistanceField.of(fc.Sphere(1.0), 0.1)


def test_a_field_comes_back(field, tmp_path):
    file = tmp_path / "field.npz"
    field.save(file)
    again = fc.DistanceField.load(file)
    assert again == field
    points = np.random.default_rng(0).normal(size=(100, 3))
    assert np.array_equal(again(points), field(points))


def changed(field, file, **arrays):
    field.save(file)
    with np.load(file) as archive:
        found = dict(archive) | arrays
    np.savez(file, **{name: value for name, value in found.items() if value is not None})
    return file


def faults(field):
    links, values = field.octree.links.copy(), field.octree.values.copy()
    inner = int(np.argmax(links >= 0))
    loop, far, shared, nan = links.copy(), links.copy(), links.copy(), values.copy()
    loop[inner], far[inner], shared[-1], nan[3, 3] = 0, len(links), shared[-2], np.nan
    yield {"links": None}, "links is missing"
    yield {"links": loop}, "links are no tree"
    yield {"links": far}, "links are no tree"
    yield {"links": shared}, "links are no tree"
    yield {"links": links[:-3]}, "links do not fit"
    yield {"links": links.astype(np.int64)}, "links is not as it should be"
    yield {"values": nan}, "values is not finite"
    yield {"values": values[:-1]}, "links are no tree"
    yield {"shape": np.array([1, 1, 10**9])}, "no such shape"
    yield {"shape": np.array([0, 1, 1])}, "no such shape"
    yield {"width": np.float64(0.3)}, "width and tolerance"
    yield {"tolerance": np.float64(-1)}, "width and tolerance"
    yield {"tolerance": np.float64(1e-12)}, "tolerance is too small"
    yield {"width": np.float64(2.0**1023)}, "too large, too small or too far away"
    yield {"width": np.float64(2.0**-1060)}, "too large, too small or too far away"
    yield {"lower": np.full(3, -1e300)}, "too large, too small or too far away"
    yield {"bounds": field.bounds + 99.0}, "the shape is not in its box"
    yield {"bounds": field.bounds[::-1].copy()}, "the shape is not in its box"
    yield {"format": np.int64(99)}, "its format is 99"


def test_hostile_files_are_refused(field, tmp_path):
    for arrays, sentence in faults(field):
        with pytest.raises(fc.FieldFileError, match=sentence):
            fc.DistanceField.load(changed(field, tmp_path / "bad.npz", **arrays))


def test_other_files_are_refused(field, tmp_path):
    with pytest.raises(fc.FieldFileError, match="there is no file"):
        fc.DistanceField.load(tmp_path / "none.npz")
    file = tmp_path / "text.npz"
    file.write_text("field")
    with pytest.raises(fc.FieldFileError, match="is not a file of a field"):
        fc.DistanceField.load(file)
    field.save(file)
    with pytest.raises(fc.FieldFileError, match="more than max_bytes=10"):
        fc.DistanceField.load(file, max_bytes=10)
    file.write_bytes(file.read_bytes()[:-30])
    with pytest.raises(fc.FieldFileError, match="is not a file of a field"):
        fc.DistanceField.load(file)


@pytest.mark.parametrize("content", [b"", b"no array"])
def test_what_is_no_array_is_refused(field, tmp_path, content):
    file = changed(field, tmp_path / "bad.npz", links=None)
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("links.npy", content)
    with pytest.raises(fc.FieldFileError, match="links is not as it should be"):
        fc.DistanceField.load(file)


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_packings_that_may_unpack_to_any_size_are_refused(field, tmp_path, packing):
    field.save(tmp_path / "field.npz")
    file = tmp_path / "packed.npz"
    with zipfile.ZipFile(tmp_path / "field.npz") as whole, zipfile.ZipFile(file, "w", packing) as archive:
        for name in whole.namelist():
            archive.writestr(name, whole.read(name))
    with pytest.raises(fc.FieldFileError, match="is not a file of a field"):
        fc.DistanceField.load(file)


def test_a_thin_box_has_many_cubes_and_comes_back(tmp_path):
    box = fc.Box([0.98, 0.98, 0.98]).mesh
    meshes = box, fc.Mesh(box.vertices + np.array([0.97, 0, 0]), box.faces)
    one, two = (fc.DistanceField.of(mesh, 0.1, margin=0.01) for mesh in meshes)
    both = one.intersection(two)
    both.save(tmp_path / "both.npz")
    assert max(both.octree.grid.shape) > 100
    assert fc.DistanceField.load(tmp_path / "both.npz") == both
