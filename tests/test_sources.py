"""Machine code goes by the sources it was made from, no more and no fewer."""

import ast
from pathlib import Path

from firstcontact._sources import PACKAGE, _imports, _reached, digest_of

COMPILED = {"kernel", "uncounted_kernel", "driver", "brief_driver", "plain_driver"}
KERNELS = [
    path for path in PACKAGE.rglob("*.py") if any(f"\n@{name}" in path.read_text() for name in COMPILED)
]


def imported_files(path: Path) -> set[Path]:
    """Read a file's imports from its syntax tree; names of the whole package lead to all of it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or "."] if isinstance(node, ast.ImportFrom) else []
        for name in names:
            assert not name.startswith("."), f"{path} imports by a relative name"
            if name.split(".")[0] == "firstcontact" and name != "firstcontact._jit":
                found.add(PACKAGE.joinpath(*name.split(".")[1:]).with_suffix(".py"))
    return found


def test_the_imports_of_all_compiled_code_are_seen():
    files = {file for path in KERNELS for file in _reached(path)}
    assert len(files) > 150
    for path in files:
        assert path.is_file()
        assert set(_imports(path)) == imported_files(path), path


def test_the_compilers_own_room_is_in_no_compiled_function():
    """Its names decorate, or are used around compiled functions, never within."""
    for path in KERNELS:
        own = {
            alias.name
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.ImportFrom) and node.module == "firstcontact._jit"
            for alias in node.names
        }
        assert own, path
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and decorators(node) & COMPILED:
                used = {
                    word.id for part in node.body for word in ast.walk(part) if isinstance(word, ast.Name)
                }
                assert not used & own, f"{node.name} in {path} uses {used & own}"


def decorators(node: ast.FunctionDef) -> set[str]:
    return {ast.unparse(one).partition("(")[0] for one in node.decorator_list}


def test_what_a_kernel_calls_counts_and_what_calls_it_does_not():
    reached = _reached(PACKAGE / "rigid" / "best_first.py")
    assert PACKAGE / "scalar" / "vec3.py" in reached
    assert PACKAGE / "queries" / "rigid.py" not in reached


def test_code_from_elsewhere_depends_on_the_whole_package(tmp_path):
    assert digest_of(tmp_path / "kernels.py") == digest_of(tmp_path / "others.py")
    assert digest_of(tmp_path / "kernels.py") != digest_of(PACKAGE / "rigid" / "best_first.py")
