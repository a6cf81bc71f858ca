"""The tests mirror the rooms: a source file has a test file of its name, or tested_through.py says which.

Of a file that is moved, renamed or added, the lines of its room are to be mended, and of no other.
"""

from pathlib import Path

from tested_through import THROUGH

TESTS = Path(__file__).resolve().parent
SOURCE = TESTS.parent / "src" / "firstcontact"

# By room: test files about no single source file, but about something that several do together.
TOGETHER = {
    "": (
        "assertions", "documents", "fuzz", "house", "layers", "mirror", "open_kernels", "public_names",
        "specialisations", "specialisations_of_robots", "specialisations_of_shapes", "warm_start",
        "wrong_inputs",
    ),
    "articulated/model": ("urdf_shared",),
    "io": ("gltf_refused",),
    "queries": (
        "contact_normals", "contacts_truth", "distance_of_overlaps", "elementary_truth", "executor",
        "most_contacts",
        "panda_problems", "travel", "travelling_things",
    ),
    "queries/kinds": ("voxels_and_fields",),
    "scene": ("fields", "half_spaces", "in_plane", "threads", "throws"),
    "shapes": ("convex_shapes",),
}  # fmt: skip


def rooms():
    """The files of each room, by their names."""
    found = {}
    for path in SOURCE.rglob("*.py"):
        if not path.stem.startswith("__"):
            found.setdefault(path.parent.relative_to(SOURCE).as_posix().strip("."), set()).add(path.stem)
    return found


def about_in(room):
    return {path.stem.removeprefix("test_") for path in (TESTS / room).glob("test_*.py")}


def test_every_source_file_has_tests():
    found = rooms()
    assert len(found) > 20
    for room, names in found.items():
        elsewhere = THROUGH.get(room, {}).keys()
        missing = {name for name in names if name.lstrip("_") not in about_in(room)}
        assert sorted(missing - elsewhere) == [], f"{room}: no test file, and no line above"
        assert sorted(elsewhere - missing) == [], f"{room}: a line above, and a test file or no source"


def test_every_test_file_has_a_source():
    for room, names in rooms().items():
        mirrored, others = {name.lstrip("_") for name in names}, set(TOGETHER.get(room, ()))
        assert sorted(about_in(room) - mirrored - others) == [], f"{room}: no source, and no word above"
        assert sorted(others - (about_in(room) - mirrored)) == [], f"{room}: a word above, and no such file"


def test_what_is_named_here_is_there():
    assert THROUGH.keys() | TOGETHER.keys() <= rooms().keys()
    named = {file for room in THROUGH.values() for file in room.values()}
    assert sorted(file for file in named if not (TESTS / file).is_file()) == []
