"""Write the reference from the docstrings: on the pages in reference/, `::: name` stands for a public name.

A name may be dotted, for a method that several classes share. `::: page.md` is a table of a page's names.
"""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Any

from docstring import Docstring, parsed

import firstcontact as fc

DIRECTIVE = re.compile(r"^::: (\S+)$", re.MULTILINE)
# A name in backticks, but not in double ones.
QUOTED = re.compile(r"(?<!`)`([A-Za-z_][\w.]*)`(?!`)")
WIDEST = 88

# What compiled code and other modules need of a class, and users do not.
INNER = {
    *("corners", "farthest", "has_inside", "of", "parts", "part_size", "self_pairs", "settings", "support"),
    *("table", "tree", "witness"),
}

_places: dict[str, str] = {}


def on_config(config: Any) -> None:
    """Find out which page tells about which name."""
    _places.clear()
    _places.update(places(Path(config["docs_dir"])))


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Put what the docstrings say in place of each directive."""
    return written(markdown, page.file.src_uri, _places)


def places(docs: Path) -> dict[str, str]:
    """Map each name to its page, relative to the folder of the documents."""
    found: dict[str, str] = {}
    for path in sorted((docs / "reference").glob("*.md")):
        for name in DIRECTIVE.findall(path.read_text(encoding="utf-8")):
            if name in found:
                raise ValueError(f"{name} is on {found[name]} and on {path.name}")
            if not name.endswith(".md"):
                found[name] = f"reference/{path.name}"
    return found


def written(markdown: str, page: str, known: dict[str, str]) -> str:
    """Replace the directives of one page; names of others become links."""

    def replaced(match: re.Match[str]) -> str:
        name = match.group(1)
        return overview(name, known) if name.endswith(".md") else linked(section(name, known), page, known)

    return DIRECTIVE.sub(replaced, markdown) if page.startswith("reference/") else markdown


def linked(text: str, page: str, known: dict[str, str]) -> str:
    """Make links of the public names in backticks, outside of code and headings."""

    def link(match: re.Match[str]) -> str:
        name = match.group(1).removeprefix("firstcontact.").replace("Shape.", "Mesh.")
        where = known.get(name) or _place_of_method(name, known)
        if where is None:
            return match.group(0)
        return f"[{match.group(0)}]({'' if where == page else Path(where).name}#{name})"

    lines, is_code = [], False
    for line in text.split("\n"):
        is_code ^= line.lstrip().startswith("```")
        lines.append(line if is_code or line.startswith("#") else QUOTED.sub(link, line))
    return "\n".join(lines)


def _place_of_method(name: str, known: dict[str, str]) -> str | None:
    """Page of a method, which is that of its class."""
    owner, _, method = name.partition(".")
    return (
        known[owner] if owner in known and inspect.isroutine(getattr(target(owner), method, None)) else None
    )


def overview(page: str, known: dict[str, str]) -> str:
    """The names of a page in a table, with the first line of each docstring."""
    names = [name for name, where in known.items() if where == f"reference/{page}"]
    rows = [f"| [`{name}`]({page}#{name}) | {parsed(target(name)).summary} |" for name in names]
    return "\n".join(["| name | what it is |", "|---|---|", *rows])


def target(name: str) -> Any:
    """What a dotted public name stands for."""
    found: Any = fc
    for part in name.split("."):
        found = getattr(found, part)
    return found


def section(name: str, known: dict[str, str]) -> str:
    """All about one name, as Markdown."""
    about = target(name)
    head = f"## `{name}` {{ #{name} }}"
    body = _class(name, about, known) if inspect.isclass(about) else _function(about)
    return f"{head}\n\n{body}"


def _function(function: Any) -> str:
    return f"{_fenced(signature(function))}\n\n{parsed(function).markdown}"


def _class(name: str, cls: type, known: dict[str, str]) -> str:
    doc, parts = parsed(cls), []
    if "Parameters" in doc.sections:
        parts.append(_fenced(signature(cls)))
    elif issubclass(cls, Exception):
        parts.append(f"Derived from `{cls.__mro__[1].__name__}`.")
    parts.append(doc.markdown)
    if issubclass(cls, Enum):
        parts.append("As numbers: " + ", ".join(f"`{one.name}` {one.value}" for one in cls) + ".")
    told = {target(other) for other in known if "." in other}
    properties, methods = [], []
    for attribute, member in _members(cls, doc):
        if isinstance(member, property | cached_property):
            properties.append(f"`{attribute}`\n:   {_joined(parsed(member))}")
        elif getattr(cls, attribute) not in told:
            methods.append(f"### `{name}.{attribute}` {{ #{name}.{attribute} }}\n\n{_function(member)}")
    if properties:
        parts.append("**Properties**\n\n" + "\n\n".join(properties))
    return "\n\n".join([*parts, *methods])


def _joined(doc: Docstring) -> str:
    return doc.markdown.replace("\n", "\n    ")


def _members(cls: type, doc: Docstring) -> Iterator[tuple[str, Any]]:
    """Public members of a class and of its bases of this project, that its own text does not describe."""
    ours = [base for base in reversed(cls.__mro__) if base.__module__.startswith("firstcontact")]
    members = {name: member for base in ours for name, member in vars(base).items()}
    for name, member in members.items():
        is_told = name in doc.entries or name in INNER or name.startswith("_")
        function = isinstance(member, Callable | classmethod | property | cached_property)  # type: ignore[arg-type]
        if function and not is_told and not isinstance(member, type):
            yield name, member


def signature(about: Any) -> str:
    """How it is called, with the types as the source has them."""
    function = about.__func__ if isinstance(about, classmethod) else about
    name, gives = function.__name__, ""
    if inspect.isclass(function):
        arguments = _fields(function) if _has_fields(function) else _arguments(function.__init__)
    else:
        arguments = _arguments(function)
        returns = _definition(function).returns
        gives = f" -> {ast.unparse(returns).strip(chr(39))}" if returns is not None else ""
    line = f"{name}({', '.join(arguments)}){gives}"
    if len(line) <= WIDEST:
        return line
    return f"{name}(\n" + "".join(f"    {argument},\n" for argument in arguments) + f"){gives}"


def _has_fields(cls: type) -> bool:
    return is_dataclass(cls) and "def __init__" not in inspect.getsource(cls)


def _fields(cls: Any) -> list[str]:
    """Arguments of a dataclass."""
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(cls))).body
    assert isinstance(node, ast.ClassDef)
    arguments = [
        _argument(ast.unparse(line.target), line.annotation, line.value)
        for line in node.body
        if isinstance(line, ast.AnnAssign)
    ]
    return ["*", *arguments] if fields(cls)[0].kw_only else arguments


def _arguments(function: Any) -> list[str]:
    given = _definition(function).args
    plain = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(plain) - len(given.defaults)) + list(given.defaults)
    named = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    found = [
        _argument(one.arg, one.annotation, default)
        for one, default in zip(plain, defaults, strict=True)
        if one.arg not in ("self", "cls")
    ]
    if given.posonlyargs:
        found.insert(len(given.posonlyargs) - (plain[0].arg in ("self", "cls")), "/")
    found += ["*"] * bool(given.kwonlyargs)
    found += [_argument(one.arg, one.annotation, default) for one, default in named]
    return found + ([f"**{given.kwarg.arg}"] if given.kwarg else [])


def _argument(name: str, annotation: ast.expr | None, default: ast.expr | None) -> str:
    typed = name if annotation is None else f"{name}: {ast.unparse(annotation)}"
    if default is None:
        return typed
    value = ast.unparse(default)
    # What makes a default anew, or names a private one, says nothing to a reader.
    return f"{typed} = {'...' if value.startswith(('field(', '_')) else value}"


def _definition(function: Any) -> ast.FunctionDef:
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(node, ast.FunctionDef)
    return node


def _fenced(code: str) -> str:
    return f"```python\n{code}\n```"
