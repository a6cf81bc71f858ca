"""Links into the sources: `../src/firstcontact/room/file.py#name` leads to where the file defines that name.

In a checkout such a link opens the file. The site has a page, its lines numbered, for every file that is
linked to.
"""

import ast
import html
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\[([^\]]+)\]\(\.\./(src/firstcontact/[\w/]+\.py)(?:#(\w+))?\)")


def on_files(files: Files, config: Any) -> Files:
    """Add a page for each source that a page links to."""
    pages = [file for file in files.documentation_pages() if file.abs_src_path]
    linked = {match[2] for page in pages for match in LINK.finditer(page.content_string)}
    for source in sorted(linked):
        files.append(File.generated(config, f"{source}.md", content=page_of(source)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Let links into the sources lead to those pages."""
    return LINK.sub(lambda match: linked(*match.groups()), markdown)


def page_of(source: str) -> str:
    """Show a file, its lines numbered; kept out of the search, which would find every word twice."""
    text = (ROOT / source).read_text(encoding="utf-8")
    return f"---\nsearch:\n  exclude: true\n---\n# {source}\n\n````python linenums='1'\n{text}````\n"


def linked(text: str, source: str, name: str | None) -> str:
    """Make a link to the line that defines a name; a name that is not there is an error."""
    line = line_of(source, name) if name else 1
    words = re.sub(r"`([^`]+)`", lambda match: f"<code>{html.escape(match[1])}</code>", text)
    return f'<a href="{source}.html#__codelineno-0-{line}">{words}</a>'


def line_of(source: str, name: str) -> int:
    """Find the line on which a file defines a function, a class, a method or a constant."""
    for node in ast.walk(ast.parse((ROOT / source).read_text(encoding="utf-8"))):
        is_definition = isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name
        is_constant = isinstance(node, ast.Assign) and name in [ast.unparse(one) for one in node.targets]
        if is_definition or is_constant:
            return node.lineno
    raise ValueError(f"{source} does not define {name}")
