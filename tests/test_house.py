"""The sizes of the rooms: files, functions and argument lists that can be read."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
FILES = sorted(
    path
    for folder in ("src", "tests", "benchmarks", "examples", "fuzz")
    for path in (ROOT / folder).rglob("*.py")
)

MAX_FILE_LINES = 400
MAX_BODY_LINES = 60
MAX_POSITIONAL = 7


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            yield node


def body_lines(function: ast.FunctionDef) -> int:
    """Count the lines of the body after the docstring."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0


def docstring_lines(node: ast.AST) -> int:
    return len((ast.get_docstring(node) or "").splitlines())


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_no_file_is_too_long(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_FILE_LINES


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_functions_are_small(path):
    for function in functions(path):
        assert body_lines(function) <= MAX_BODY_LINES, function.name
        assert len(function.args.posonlyargs) + len(function.args.args) <= MAX_POSITIONAL, function.name
        assert docstring_lines(function) < 25, function.name


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_no_file_has_a_name_that_says_nothing(path):
    assert path.stem not in {"utils", "util", "helpers", "common", "manager", "misc"}


def test_only_one_file_names_compiler_options():
    words = ("njit(", "jit(", "fastmath", "error_model", "nogil", "inline=")
    offenders = [
        name_of(path)
        for path in SOURCES
        if path.name != "_jit.py" and any(word in path.read_text(encoding="utf-8") for word in words)
    ]
    assert offenders == []


def test_no_driver_returns_a_named_tuple():
    """An interrupt while the compiler makes one ends the process."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in FILES if "src" in path.parts}
    nodes = [node for tree in trees.values() for node in ast.walk(tree)]
    named = {
        node.name
        for node in nodes
        if isinstance(node, ast.ClassDef) and any(ast.unparse(base) == "NamedTuple" for base in node.bases)
    }
    drivers = [
        node
        for node in nodes
        if isinstance(node, ast.FunctionDef) and any(ast.unparse(d) == "driver" for d in node.decorator_list)
    ]
    assert len(named) > 50
    assert len(drivers) > 50
    for node in drivers:
        words = {word.id for word in ast.walk(node.returns) if isinstance(word, ast.Name)}
        assert not words & named, f"{node.name} returns {words & named}"
