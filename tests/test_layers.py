"""Imports point down the layers only, checked from the source."""

import ast
from collections.abc import Iterator
from pathlib import Path

from source_trees import nodes_of

SOURCE = Path(__file__).resolve().parents[1] / "src" / "firstcontact"

# From the bottom up; packages of one layer do not import each other.
LAYERS = (
    ("arrays", "_sources", "_whole_file", "_object_symbols", "_waiting"),
    ("_cache_home", "_late_linking", "_object_code", "_shipped_pack"),
    ("_kept_code",),
    ("_found_code",),
    ("errors", "status", "plain", "progress_bar", "times", "_jit", "_turns", "_validate"),
    ("_lanes",),
    ("_box_lanes", "_ray_lanes"),
    ("scalar",),
    ("motions",),
    ("shapes",),
    ("bounds", "io"),
    ("hierarchy",),
    ("narrowphase", "broadphase"),
    ("bodies",),
    ("proximity",),
    ("fields",),
    ("raster",),
    ("advancement",),
    ("rigid", "deformable", "articulated"),
    ("sweeping",),
    ("answers",),
    ("spreading",),
    ("queries",),
    ("scene",),
)
LEVELS = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}
OUTER_RING = {"viz", "cli", "clusters"}
# What the outer ring may use besides the public names and its own package; the demo's page is made of views.
OUTER_RING_MAY_USE = {"arrays", "errors", "times", "_validate", "_whole_file", "_cache_home"}
CLI_MAY_USE = {"viz", "_object_code", "_shipped_pack", "_waiting"}
NEVER = {("narrowphase", "hierarchy")}
# The public names themselves, and the module that runs the command line.
DOORS = {"__init__", "__main__"}

FILES = sorted(SOURCE.rglob("*.py"))


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    """Give the dotted name of everything of this project that a file imports."""
    for node in nodes_of(path):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        yield from (name for name in names if name.split(".")[0] == "firstcontact")


def rooms_used(path: Path) -> set[str]:
    """Give the top-level packages and modules that a file imports; public names count as `__init__`."""
    rooms = set()
    for name in imported(path):
        first = [*name.split("."), ""][1]
        is_room = (SOURCE / first).is_dir() or (SOURCE / f"{first}.py").is_file()
        rooms.add(first if first and is_room else "__init__")
    return rooms


def may_use(room: str, used: str) -> bool:
    if room in DOORS or room == used:
        return True
    if room in OUTER_RING:
        return used == "__init__" or used in OUTER_RING_MAY_USE | (CLI_MAY_USE if room == "cli" else set())
    return used in LEVELS and LEVELS[used] < LEVELS[room] and (room, used) not in NEVER


def test_imports_point_down():
    found = [
        (str(path.relative_to(SOURCE)), room_of(path), used) for path in FILES for used in rooms_used(path)
    ]
    assert len(found) > 1000
    assert [f"{file} uses {used}" for file, room, used in found if not may_use(room, used)] == []


def test_every_room_has_its_place():
    rooms = {room_of(path) for path in FILES}
    assert rooms - LEVELS.keys() - OUTER_RING - DOORS == set()


def test_imports_are_absolute():
    relative = [
        f"{path.relative_to(SOURCE)}, line {node.lineno}"
        for path in FILES
        for node in nodes_of(path)
        if isinstance(node, ast.ImportFrom) and node.level > 0
    ]
    assert relative == []


def test_the_rules_catch_what_they_should():
    assert may_use("narrowphase", "scalar")
    assert may_use("cli", "__init__")
    assert may_use("articulated", "io")
    assert may_use("cli", "viz")
    assert not may_use("viz", "cli")
    assert not may_use("io", "__init__")
    assert not may_use("scalar", "narrowphase")
    assert not may_use("narrowphase", "hierarchy")
    assert not may_use("narrowphase", "broadphase")
    assert not may_use("narrowphase", "__init__")
    assert not may_use("cli", "narrowphase")
    assert not may_use("io", "cli")
