"""Contacts of every step of an animation are those of each step by itself, wherever frames are."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.queries.frames import FileFrames, as_frames
from firstcontact.queries.sequence import Steps
from queries.every_batch import CRUMPLED, SHEETS, assert_same_bytes
from queries.test_executor import Courier

COLUMNS = (
    "kind",
    "ids_a",
    "ids_b",
    "vertex_ids",
    "time",
    "time_upper",
    "points",
    "normals",
    "status",
    "weights",
)


def write_obj(path, vertices, faces=CRUMPLED.faces):
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in vertices.tolist()]
    lines += ["f " + " ".join(str(corner + 1) for corner in face) for face in faces.tolist()]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def files(tmp_path):
    return [write_obj(tmp_path / f"sheet{i}.obj", places) for i, places in enumerate(SHEETS)]


@pytest.mark.parametrize("only_first", [False, True])
def test_each_step_is_what_it_is_by_itself(only_first):
    found = fc.sequence(SHEETS, CRUMPLED, only_first=only_first)
    assert len(found) == 5
    assert found.counts.sum() == len(found.time) > 20
    for i, one in enumerate(found[i] for i in range(5)):
        step = CRUMPLED.deforming(*SHEETS[i : i + 2])
        if only_first:
            alone = fc.first_contact(step)
            assert found.first_times[i] == alone.time
            assert set(one.time_upper) == {alone.time_upper}
            assert one.points.tobytes() == alone.points.tobytes()
            assert np.stack([one.kind, one.ids_a, one.ids_b], axis=1).tolist() == alone.features.tolist()
        else:
            assert one == fc.contacts(step)


def test_files_are_the_same_as_places(files):
    here = fc.sequence(SHEETS, CRUMPLED)
    assert fc.sequence(files) == here
    with Courier() as courier:
        assert_same_bytes(fc.sequence(map(str, files), executor=courier), fc.sequence(files))
        assert max(courier.n_bytes) < 2000  # names, and not what is in the files


def test_relative_paths_are_of_this_folder(files, monkeypatch, tmp_path_factory):
    monkeypatch.chdir(files[0].parent)
    frames = as_frames([file.name for file in files], None)
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert np.array_equal(frames.read(2).vertices, SHEETS[2])


def test_frames_with_the_same_faces_share_a_mesh_from_part_to_part(files):
    whole, frames = Steps(None, {}, False, False), as_frames(files, None)
    whole.answer((frames.chosen(slice(0, 2), True),))
    mesh = whole._last
    whole.answer((frames.chosen(slice(3, 5), True),))
    assert whole._last is mesh is not None
    assert pickle.loads(pickle.dumps(whole))._last is None


def test_a_memory_map_is_read_in_parts(tmp_path):
    np.save(tmp_path / "frames.npy", SHEETS)
    frames = np.load(tmp_path / "frames.npy", mmap_mode="r")
    with ThreadPoolExecutor(2) as pool:
        assert_same_bytes(fc.sequence(frames, CRUMPLED, executor=pool), fc.sequence(SHEETS, CRUMPLED))


def test_a_damaged_frame_is_an_error_that_names_its_step(files):
    files[3].write_text("nothing")
    with pytest.raises(fc.MeshFileError, match=r"^step 2: .*sheet3.obj cannot be read"):
        fc.sequence(files)
    with ThreadPoolExecutor(1) as pool, pytest.raises(fc.MeshFileError, match=r"^step 2: "):
        fc.sequence(files, executor=pool)
    bad = SHEETS.copy()
    bad[5, 7] = np.inf
    with pytest.raises(ValueError, match=r"^step 4: frame 5 must be finite; row 7 has inf$"):
        fc.sequence(bad, CRUMPLED)


def test_damaged_frames_cost_their_steps_where_that_is_asked_for(files):
    files[1].unlink()
    write_obj(files[4], SHEETS[4], CRUMPLED.faces[::-1])
    write_obj(files[5], SHEETS[5][:-1], CRUMPLED.faces[:9])
    found = fc.sequence(files, skip_damaged=True)
    assert [bool(problem) for problem in found.problems] == [True, True, False, True, True]
    assert found.problems[0] == found.problems[1] == f"there is no file {files[1]}"
    assert found.problems[3] == f"{files[4]} has other faces than {files[3]}"
    assert "48 vertices, " in found.problems[4]
    assert found[2] == fc.contacts(CRUMPLED.deforming(*SHEETS[2:4]))
    assert np.isnan(found.first_times).tolist() == [True, True, False, True, True]
    with pytest.raises(ValueError, match=r"^step 1 was skipped: there is no file "):
        found[1]
    with ThreadPoolExecutor(2) as pool:
        assert_same_bytes(fc.sequence(files, skip_damaged=True, executor=pool), found)
    assert repr(found).startswith("SequenceContacts(5 steps, 4 skipped, ")


def test_too_many_contacts_name_their_step():
    most = int(fc.sequence(SHEETS, CRUMPLED).counts[0])
    with pytest.raises(ValueError, match=r"^step 0: more than .* contacts, as many as max_contacts allows"):
        fc.sequence(SHEETS[:2], CRUMPLED, max_contacts=most - 1)


@pytest.mark.parametrize("frames", [[], [CRUMPLED.vertices]])
def test_fewer_than_two_frames_have_no_steps(frames):
    found = fc.sequence(frames, CRUMPLED)
    assert len(found) == len(found.first_times) == 0
    assert fc.sequence([]) == found
    with pytest.raises(IndexError):
        found[0]


@pytest.mark.parametrize(
    ("frames", "mesh", "rule"),
    [
        ("walk.obj", None, "frames must be paths of mesh files, one each, or with a mesh places"),
        (SHEETS, None, "frames must be paths of mesh files, one each, or with a mesh places"),
        (7, None, "frames must be several, as in a list; received 7"),
        ([7], None, "a frame must be a path; received 7"),
        (SHEETS[:, 1:], CRUMPLED, r"frames must have shape \(k, 49, 3\), as the mesh has vertices"),
        ([SHEETS[0], [[0, 0, 0]]], CRUMPLED, "frame 1 must have a row for each of the mesh's 49 vertices"),
        (SHEETS, 7, "a mesh must be a firstcontact.Mesh or a trimesh.Trimesh; received int"),
    ],
)
def test_what_are_no_frames_is_refused(frames, mesh, rule):
    with pytest.raises((TypeError, ValueError), match=rule):
        fc.sequence(frames, mesh)


def test_options_without_meaning_are_refused():
    with pytest.raises(ValueError, match="max_contacts has no meaning"):
        fc.sequence(SHEETS, CRUMPLED, only_first=True, max_contacts=9)
    with pytest.raises(TypeError, match=r"culling must be a firstcontact.Culling"):
        fc.sequence([], culling=4)


def test_a_file_that_changed_is_another_frame(files, tmp_path):
    frames = as_frames(files, None)
    assert isinstance(frames, FileFrames)
    before = frames.stamped()
    write_obj(files[2], SHEETS[2] + 1.0)
    assert frames.stamped() != before
    assert frames.stamped().chosen(slice(3, 5), True) == before.chosen(slice(3, 5), True)
