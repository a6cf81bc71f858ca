"""Sources as the parser sees them, each read once."""

import ast
from functools import cache
from pathlib import Path


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """Give all nodes of a file's tree; the file itself comes first."""
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
