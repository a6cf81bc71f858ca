"""The code in README.md and docs/ runs, each document from top to bottom in one namespace."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [path for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))) if path.is_file()]


def python_blocks(text: str) -> list[tuple[int, str]]:
    """Find the fenced Python blocks, each with the line of the document where its code begins."""
    found = re.finditer(r"^```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    return [(text.count("\n", 0, match.start(1)), match.group(1)) for match in found]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_code_of_a_document_runs(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "__main__"}
    for line, code in python_blocks(path.read_text(encoding="utf-8")):
        # Blank lines before the code give tracebacks the line numbers of the document.
        exec(compile("\n" * line + code, str(path), "exec"), namespace)


def test_blocks_are_found_with_their_lines():
    assert python_blocks("a\n```python\nx = 1\n```\n```bash\nls\n```\n") == [(2, "x = 1\n")]
