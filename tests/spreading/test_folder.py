"""Answers that are kept in a folder are the same bytes, and what was interrupted goes on."""

import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.spreading import chunks
from firstcontact.spreading.folder import DONE, InFolder
from firstcontact.spreading.question import QUESTION, written
from queries.every_answer import BALL, BOX, CUBE, OBSTACLES
from queries.every_batch import END, PATHS, START, STONE, A, B, assert_same_bytes

ASKED = {
    "first_contacts": lambda **far: fc.first_contacts(CUBE.moving(A, B), STONE, **far),
    "is_free": lambda **far: fc.is_free(PATHS, OBSTACLES, **far),
    "vertex_face_ccd": lambda **far: fc.vertex_face_ccd(START, END, **far),
}


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr(chunks.Chunks, "_size", lambda _: 4)


@pytest.mark.parametrize("name", ASKED)
def test_the_same_bytes_with_and_without_an_executor(name, tmp_path):
    here = ASKED[name]()
    with ThreadPoolExecutor(2) as pool:
        assert_same_bytes(ASKED[name](out=tmp_path / "a" / "b", executor=pool), here)
    assert_same_bytes(ASKED[name](out=str(tmp_path / "c")), here)


@pytest.mark.parametrize("name", ASKED)
def test_who_is_interrupted_goes_on_where_it_stopped(name, tmp_path, monkeypatch):
    put, written = InFolder.put, []

    def interrupted(self, span, answer):
        if len(written) == 5:
            raise KeyboardInterrupt
        written.append(span)
        put(self, span, answer)

    monkeypatch.setattr(InFolder, "put", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ASKED[name](out=tmp_path)
    again = []
    monkeypatch.setattr(
        InFolder, "put", lambda self, span, answer: (again.append(span), put(self, span, answer))
    )
    assert_same_bytes(ASKED[name](out=tmp_path), ASKED[name]())
    rows = sorted(row for span in (*written, *again) for row in range(*span))
    assert rows == list(range(45))
    again.clear()
    assert_same_bytes(ASKED[name](out=tmp_path), ASKED[name]())
    assert again == []


def test_a_line_that_was_cut_off_does_not_count(tmp_path):
    here = ASKED["is_free"](out=tmp_path)
    lines = (tmp_path / DONE).read_text()
    (tmp_path / DONE).write_text(lines[: len(lines) // 2])
    assert_same_bytes(ASKED["is_free"](out=tmp_path), here)
    assert_same_bytes(ASKED["is_free"](out=tmp_path), here)
    assert sorted((tmp_path / DONE).read_text().splitlines()) == sorted(lines.splitlines())


def test_another_question_is_refused(tmp_path):
    ASKED["is_free"](out=tmp_path)
    with pytest.raises(ValueError, match="has answers to another question: give another folder"):
        fc.is_free(PATHS, OBSTACLES, out=tmp_path, min_separation=0.01)
    with pytest.raises(ValueError, match="has answers to another question"):
        fc.is_free(PATHS, {}, out=tmp_path)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").write_text("mine")
    with pytest.raises(ValueError, match="must be empty, or have answers to this question"):
        ASKED["is_free"](out=tmp_path / "other")


def test_who_is_interrupted_before_anything_was_found_begins_anew(tmp_path):
    (tmp_path / "answer.npy").write_bytes(b"half of it")
    assert_same_bytes(ASKED["is_free"](out=tmp_path), ASKED["is_free"]())


def test_answers_of_unequal_rows_are_refused(tmp_path):
    with pytest.raises(ValueError, match="out is for answers with as many numbers for each row"):
        fc.first_contacts(PATHS, OBSTACLES, out=tmp_path)
    with pytest.raises(ValueError, match="executor and out are for batches"):
        fc.first_contacts(BALL, BOX, out=tmp_path)


def test_no_rows(tmp_path):
    assert len(fc.first_contacts(CUBE.at(np.empty((0, 4, 4))), BOX, out=tmp_path)) == 0


def test_a_fault_names_its_row(tmp_path):
    start = START.copy()
    start[13] = np.nan
    np.save(tmp_path / "start.npy", start)
    with pytest.raises(ValueError, match=r"^row 13: start must be finite"):
        fc.vertex_face_ccd(np.load(tmp_path / "start.npy", mmap_mode="r"), END, out=tmp_path / "out")


def test_sets_are_written_in_one_order():
    assert written({"b", "a", ("c", frozenset("xy"))}) == written({("c", frozenset("yx")), "a", "b"})
    assert written({"a"}) != written({"b"})


def cut(file):
    file.write_bytes(file.read_bytes()[:-9])


def flip(file):
    data = bytearray(file.read_bytes())
    data[-3] ^= 1
    file.write_bytes(data)


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: flip(folder / "time.npy"),
        lambda folder: cut(folder / "status.npy"),
        lambda folder: (folder / "points.npy").unlink(),
        lambda folder: np.save(folder / "time.npy", np.zeros(3)),
        lambda folder: np.save(folder / "time.npy", np.zeros(45, np.float32)),
        lambda folder: (folder / QUESTION).write_text("?"),
        lambda folder: (folder / DONE).write_text("[0, 45]\n"),
        lambda folder: (folder / DONE).write_text("nothing\n"),
        lambda folder: (folder / DONE).write_bytes(b"\xff\xfe\n"),
        lambda folder: (folder / DONE).write_text("{}\n[]\n"),
        lambda folder: (folder / DONE).write_text((folder / DONE).read_text() * 2),
        lambda folder: (folder / DONE).write_text((folder / DONE).read_text().replace("[44,", "[44000,")),
    ],
)
def test_a_folder_that_was_changed_is_refused_in_a_sentence(tmp_path, damage):
    ASKED["first_contacts"](out=tmp_path)
    damage(tmp_path)
    with pytest.raises(ValueError, match=r"was changed since answers .*: give another folder$") as error:
        ASKED["first_contacts"](out=tmp_path)
    assert "\n" not in str(error.value)


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ValueError, match="must be a folder, and is a file"):
        ASKED["is_free"](out=tmp_path / "file")


def test_memory_does_not_grow_with_the_rows(tmp_path, monkeypatch):
    n, megabyte = 200_000, 1 << 20
    for name in ("start", "end"):
        np.lib.format.open_memmap(tmp_path / f"{name}.npy", "w+", np.float64, (n, 4, 3)).flush()
    start, end = (np.load(tmp_path / f"{name}.npy", mmap_mode="r") for name in ("start", "end"))
    monkeypatch.undo()  # chunks as they are, but smaller
    monkeypatch.setattr(chunks, "MOST_BYTES", megabyte)
    fc.vertex_face_ccd(start[:2], end[:2])
    with ThreadPoolExecutor(2) as pool:
        tracemalloc.start()
        try:
            found = fc.vertex_face_ccd(start, end, executor=pool, out=tmp_path / "out")
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert len(found.time) == n
    assert peak < 32 * megabyte < start.nbytes + end.nbytes
