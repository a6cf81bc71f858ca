"""Every test asserts something, and nothing that cannot fail."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from source_trees import nodes_of

TESTS = Path(__file__).resolve().parent
FILES = sorted(TESTS.rglob("*.py"))

# Public functions of the package give an answer whatever they find: it is never None.
ANSWERS = (
    "fc.first_contact",
    "fc.first_contacts",
    "fc.contacts",
    "fc.distance",
    "fc.penetration",
    "fc.ray_cast",
    "fc.neighbors",
    "fc.signed_distance",
)


def idle_words(test: ast.expr) -> Iterator[str]:
    """Why an assertion cannot fail; nothing where it can."""
    if isinstance(test, ast.Constant):
        yield "a constant"
    if isinstance(test, ast.Tuple) and test.elts:
        yield "a tuple"
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        yield from (word for value in test.values for word in idle_words(value))
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        left, op, right = test.left, test.ops[0], test.comparators[0]
        if ast.dump(left) == ast.dump(right) and not any(isinstance(x, ast.Call) for x in ast.walk(left)):
            yield "a thing compared with itself"
        if isinstance(op, ast.IsNot) and ast.unparse(right) == "None" and called(left) in ANSWERS:
            yield "an answer, which is never None"
        if isinstance(op, ast.GtE) and ast.unparse(right) == "0" and called(left) == "len":
            yield "a length, which is never negative"
        if isinstance(op, ast.LtE) and ast.unparse(right) in ("np.inf", "inf", "math.inf"):
            yield "nothing is more than infinite"


def called(node: ast.expr) -> str:
    return ast.unparse(node.func) if isinstance(node, ast.Call) else ""


def asserts(
    function: ast.FunctionDef, functions: dict[str, ast.FunctionDef], above: tuple[str, ...] = ()
) -> bool:
    """Does a test assert something, by itself or by a function of its file?"""
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            return True
        name = called(node) if isinstance(node, ast.Call) else ""
        if "assert" in name or name in ("pytest.raises", "pytest.fail", "pytest.warns", "check"):
            return True
        if name in functions and name not in above and asserts(functions[name], functions, (*above, name)):
            return True
    return False


def faults(path: Path) -> Iterator[str]:
    """What is wrong with the assertions of a file."""
    nodes = nodes_of(path)
    functions = {node.name: node for node in nodes if isinstance(node, ast.FunctionDef)}
    for node in nodes:
        if isinstance(node, ast.Assert):
            yield from (f"line {node.lineno}: {word}" for word in idle_words(node.test))
        if isinstance(node, ast.Call) and called(node) == "pytest.raises" and unnamed(node):
            yield f"line {node.lineno}: any exception will do"
    for name, function in functions.items():
        if name.startswith("test_") and not asserts(function, functions):
            yield f"{name} asserts nothing"


def test_assertions_can_fail():
    assert len(FILES) > 200
    assert [f"{path.relative_to(TESTS)}: {fault}" for path in FILES for fault in faults(path)] == []


FAULTY = """
def test_a():
    x = 1

def test_b():
    assert 1
    with pytest.raises(Exception):
        test_a()
"""


def test_faults_are_seen(tmp_path):
    (tmp_path / "some.py").write_text(FAULTY)
    assert list(faults(tmp_path / "some.py")) == [
        "line 6: a constant",
        "line 7: any exception will do",
        "test_a asserts nothing",
    ]


def unnamed(node: ast.Call) -> bool:
    return not node.args or ast.unparse(node.args[0]) in ("Exception", "BaseException")


@pytest.mark.parametrize(
    "text",
    ["True", "(x, 'y')", "x == x", "fc.distance(a, b) is not None", "len(x) >= 0", "x <= np.inf", "y or 1"],
)
def test_what_cannot_fail_is_seen(text):
    assert len(list(idle_words(ast.parse(text, mode="eval").body))) == 1


@pytest.mark.parametrize(
    "text", ["x", "x == y", "f() == f()", "x.find(y) is not None", "x < np.inf", "x or y"]
)
def test_what_can_fail_is_left_alone(text):
    assert list(idle_words(ast.parse(text, mode="eval").body)) == []
