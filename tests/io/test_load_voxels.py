"""Files of voxels, through the public door."""

import zipfile
from contextlib import suppress

import numpy as np
import pytest

import firstcontact as fc

GRID = fc.Voxels([[0, 0, 0], [3, -2, 5]], 0.25, [0.5, -0.75, 0])


@pytest.mark.parametrize("name", ["a.bt", "a.npz", "a.BT"])
def test_what_is_saved_is_loaded(tmp_path, name):
    GRID.save(tmp_path / name)
    found = fc.load_voxels(str(tmp_path / name))
    assert found.size == GRID.size
    assert found.bounds.tolist() == GRID.bounds.tolist()
    assert np.array_equal(found.corner(found.cells), GRID.corner(GRID.cells))
    fc.Voxels([], 2).save(tmp_path / name)
    assert fc.load_voxels(tmp_path / name).n_cells == 0


def test_what_a_tree_cannot_hold_is_refused(tmp_path):
    with pytest.raises(ValueError, match="begins at 0, 0, 0"):
        fc.Voxels([[0, 0, 0]], 1, [0.5, 0, 0]).save(tmp_path / "a.bt")
    with pytest.raises(ValueError, match="cells from -32768 to 32767"):
        fc.Voxels([[0, 0, 1 << 15]], 1).save(tmp_path / "a.bt")
    with pytest.raises(ValueError, match=r"must end in one of \.bt, \.npz"):
        GRID.save(tmp_path / "a.obj")
    assert list(tmp_path.iterdir()) == []


def test_damaged_files_are_refused_in_a_sentence(tmp_path):
    for name in ("a.bt", "a.npz"):
        GRID.save(tmp_path / name)
        whole = (tmp_path / name).read_bytes()
        rng = np.random.default_rng(0)
        for _ in range(60):
            damaged = bytearray(whole[: int(rng.integers(len(whole)))] if rng.random() < 0.5 else whole)
            for _ in range(int(rng.integers(1, 4))):
                damaged[int(rng.integers(max(len(damaged), 1)))] = int(rng.integers(256)) if damaged else 0
            (tmp_path / name).write_bytes(bytes(damaged))
            with suppress(fc.MeshFileError):  # no other error
                assert isinstance(fc.load_voxels(tmp_path / name), fc.Voxels)


def test_archives_of_something_else_are_refused(tmp_path):
    file = tmp_path / "a.npz"
    np.savez(file, cells=[[0, 0, 0]])
    with pytest.raises(fc.MeshFileError, match="must hold the arrays cells, size, origin; it has cells"):
        fc.load_voxels(file)
    np.savez(file, cells=[[0.5, 0, 0]], size=1.0, origin=[0, 0, 0])
    with pytest.raises(fc.MeshFileError, match="not those of voxels"):
        fc.load_voxels(file)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("cells.npy", b"x")
    with pytest.raises(fc.MeshFileError, match="packed in another way"):
        fc.load_voxels(file)
    with pytest.raises(FileNotFoundError):
        fc.load_voxels(tmp_path / "none.bt")
    with pytest.raises(fc.MeshFileError, match="must end in one of"):
        fc.load_voxels(tmp_path / "none.obj")
