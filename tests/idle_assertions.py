"""A plugin of pytest that lists assertions which no test came to: in loops over nothing, or never called.

``pytest -p idle_assertions -o enable_assertion_pass_hook=true``; of the files all of whose tests were run.
The hook keeps what was asserted about alive: the three tests that a body is forgotten with its mesh fail.
"""

import ast
import sys
from pathlib import Path

import pytest

_passed: set[tuple[Path, int]] = set()
_files: set[Path] = set()


def pytest_configure(config: pytest.Config) -> None:
    """Have files rewritten anew: what is kept of earlier runs does not report."""
    sys.dont_write_bytecode = True


def pytest_assertion_pass(item: pytest.Item, lineno: int, orig: str, expl: str) -> None:
    """Note that an assertion of the file of a test has held."""
    _passed.add((item.path, lineno))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Note the files of the tests."""
    _files.update(item.path for item in session.items)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List what no test came to."""
    idle = [
        (path, line) for path in sorted(_files) for line in assertions(path) if (path, line) not in _passed
    ]
    terminalreporter.section(f"{len(idle)} assertions that no test came to")
    for path, line in idle:
        terminalreporter.line(
            f"{path}:{line}: {path.read_text(encoding='utf-8').splitlines()[line - 1].strip()}"
        )


def assertions(path: Path) -> list[int]:
    """Lines of the assertions in a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Assert)]
