"""The sizes of the rooms: files, functions and argument lists that can be read."""

import ast
from collections.abc import Iterator
from pathlib import Path

from source_trees import nodes_of

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
MAX_DOCSTRING_LINES = 24


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    yield from (node for node in nodes_of(path) if isinstance(node, ast.FunctionDef))


def body_lines(function: ast.FunctionDef) -> int:
    """Count the lines of the body after the docstring."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0


def docstring_lines(node: ast.AST) -> int:
    return len((ast.get_docstring(node) or "").splitlines())


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_no_file_is_too_long():
    lines = {name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in FILES}
    assert len(lines) > 500
    assert {name: n for name, n in lines.items() if n > MAX_FILE_LINES} == {}


def too_much(function: ast.FunctionDef) -> bool:
    """Is a function, its list of arguments or its docstring too long to read?"""
    n_positional = len(function.args.posonlyargs) + len(function.args.args)
    return (
        body_lines(function) > MAX_BODY_LINES
        or n_positional > MAX_POSITIONAL
        or docstring_lines(function) > MAX_DOCSTRING_LINES
    )


def test_functions_are_small():
    found = [(name_of(path), function) for path in SOURCES for function in functions(path)]
    assert len(found) > 1000
    assert [f"{file}: {function.name}" for file, function in found if too_much(function)] == []


def test_no_file_has_a_name_that_says_nothing():
    words = {"utils", "util", "helpers", "common", "manager", "misc"}
    assert [name_of(path) for path in SOURCES if path.stem in words] == []


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
    nodes = [node for path in SOURCES for node in nodes_of(path)]
    named = {
        node.name
        for node in nodes
        if isinstance(node, ast.ClassDef) and any(ast.unparse(base) == "NamedTuple" for base in node.bases)
    }
    drivers = [
        node
        for node in nodes
        if isinstance(node, ast.FunctionDef)
        and any(
            ast.unparse(d).partition("(")[0] in ("driver", "brief_driver", "plain_driver")
            for d in node.decorator_list
        )
    ]
    assert len(named) > 50
    assert len(drivers) > 50
    for node in drivers:
        words = {word.id for word in ast.walk(node.returns) if isinstance(word, ast.Name)}
        assert not words & named, f"{node.name} returns {words & named}"
