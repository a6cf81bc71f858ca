"""Answers of unequal rows that are kept in a folder are the same bytes, and what was interrupted goes on."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.spreading import chunks
from firstcontact.spreading.parts import WHOLE, InParts
from firstcontact.spreading.question import QUESTION
from queries.every_batch import CRUMPLED, SHEETS, assert_same_bytes


def asked(frames=SHEETS, **far):
    return fc.sequence(frames, CRUMPLED, **far)


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr(chunks.Chunks, "_size", lambda _: 1)


@pytest.fixture
def interrupted(tmp_path, monkeypatch):
    """A folder with the first three of five steps."""
    put, written = InParts.put, []

    def stops(self, span, answer):
        if len(written) == 3:
            raise KeyboardInterrupt
        written.append(span)
        put(self, span, answer)

    with monkeypatch.context() as patch:
        patch.setattr(InParts, "put", stops)
        with pytest.raises(KeyboardInterrupt):
            asked(out=tmp_path / "out")
    return tmp_path / "out"


def test_the_same_bytes_with_and_without_an_executor(tmp_path):
    with ThreadPoolExecutor(2) as pool:
        assert_same_bytes(asked(out=tmp_path / "a" / "b", executor=pool), asked())
    found = asked(out=str(tmp_path / "c"))
    assert_same_bytes(found, asked())
    assert sorted(tmp_path.glob("c/part*")) == []
    assert np.load(tmp_path / "c" / "time.npy").tobytes() == found.time.tobytes()


def test_who_is_interrupted_goes_on_where_it_stopped(interrupted, monkeypatch):
    again, put = [], InParts.put
    monkeypatch.setattr(
        InParts, "put", lambda self, span, answer: (again.append(span), put(self, span, answer))
    )
    assert_same_bytes(asked(out=interrupted), asked())
    assert sorted(row for span in again for row in range(*span)) == [3, 4]
    again.clear()
    assert_same_bytes(asked(out=interrupted), asked())
    assert again == []


def test_who_is_interrupted_while_parts_are_removed(interrupted, tmp_path):
    shutil.copytree(interrupted, tmp_path / "parts")
    here = asked(out=interrupted)
    shutil.copy(tmp_path / "parts" / "part-0-1.npz", interrupted)
    assert_same_bytes(asked(out=interrupted), here)
    assert list(interrupted.glob("part*")) == []


def test_another_question_is_refused(interrupted):
    for other in ({"frames": SHEETS[:4]}, {"min_separation": 0.1}, {"only_first": True}):
        with pytest.raises(ValueError, match="has answers to another question: give another folder"):
            asked(out=interrupted, **other)


def cut(file):
    file.write_bytes(file.read_bytes()[:-40])


def flip(file):
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: cut(folder / "part-1-2.npz"),
        lambda folder: flip(folder / "part-2-3.npz"),
        lambda folder: shutil.copy(folder / "part-0-1.npz", folder / "part-3-4.npz"),
        lambda folder: shutil.copy(folder / "part-0-1.npz", folder / "part-0-2.npz"),
        lambda folder: (folder / "part-4-9.npz").write_bytes(b""),
        lambda folder: np.savez(folder / "part-1-2.npz", time=np.zeros(3)),
        lambda folder: (folder / "part-1-2.npz").write_text("mine"),
        lambda folder: (folder / QUESTION).write_text("{"),
        lambda folder: (folder / WHOLE).write_text('{"time": 4}'),
    ],
)
def test_a_folder_that_was_changed_is_refused_in_a_sentence(interrupted, damage):
    damage(interrupted)
    with pytest.raises(ValueError, match=r"was changed since answers .*: give another folder$") as error:
        asked(out=interrupted)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: flip(folder / "points.npy"),
        lambda folder: cut(folder / "time.npy"),
        lambda folder: (folder / "kind.npy").unlink(),
        lambda folder: np.save(folder / "offsets.npy", np.arange(3)),
        lambda folder: np.save(folder / "weights.npy", np.array([{}], object), allow_pickle=True),
        lambda folder: (folder / WHOLE).write_text("[]"),
        lambda folder: (folder / WHOLE).write_text(
            json.dumps(json.loads((folder / WHOLE).read_text()) | {"problems": [1]})
        ),
    ],
)
def test_columns_that_were_changed_are_refused_in_a_sentence(tmp_path, damage):
    asked(out=tmp_path)
    damage(tmp_path)
    with pytest.raises(ValueError, match=r"was changed since answers .*: give another folder$"):
        asked(out=tmp_path)
