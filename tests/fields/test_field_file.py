"""Fields come back from files as they were; files that hold none are refused."""

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
