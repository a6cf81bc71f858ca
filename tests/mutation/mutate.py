"""Change an expression in a copy of the package."""

import ast
import shutil
from pathlib import Path

from mutation.mutants import Mutant

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "firstcontact"


class _Changed(ast.NodeTransformer):
    """Replaces the first expression that reads as `old`; once."""

    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = ast.unparse(ast.parse(old, mode="eval")), ast.parse(new, mode="eval").body
        self.is_done = False

    def visit(self, node: ast.AST) -> ast.AST:
        if not self.is_done and isinstance(node, ast.expr) and ast.unparse(node) == self.old:
            self.is_done = True
            return self.new
        return self.generic_visit(node)


def mutated(source: str, mutant: Mutant) -> str:
    """The source of a file with the change; without comments."""
    tree = ast.parse(source)
    functions = [
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == mutant.function
    ]
    if not functions:
        raise ValueError(f"{mutant.file} has no function {mutant.function}")
    change = _Changed(mutant.old, mutant.new)
    change.visit(functions[0])
    if not change.is_done:
        raise ValueError(f"{mutant.function} in {mutant.file} has no expression {mutant.old}")
    return ast.unparse(ast.fix_missing_locations(tree))


def write_copy(folder: Path, mutant: Mutant | None) -> None:
    """Make the copy in a folder that of the package as it is, but for the change."""
    copy = folder / PACKAGE.name
    shutil.rmtree(copy, ignore_errors=True)
    # With the times of the files: machine code of what is unchanged is used again.
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    if mutant is not None:
        path = copy / mutant.file
        path.write_text(mutated(path.read_text(encoding="utf-8"), mutant), encoding="utf-8")
