"""Docstrings, NumPy style as this project writes it, as Markdown."""

import doctest
import inspect
import re
from typing import Any, NamedTuple

HEADER = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)
# `names : text`, with more of the text in indented lines below.
ENTRY = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*) : (.+)$")
LISTS = ("Parameters", "Attributes", "Returns", "Raises")


class Docstring(NamedTuple):
    """A docstring taken apart: its first line, its sections by name (the text before them has none)."""

    summary: str
    sections: dict[str, str]

    @property
    def markdown(self) -> str:
        """All of it."""
        return "\n\n".join(part for part in map(_section, self.sections, self.sections.values()) if part)

    @property
    def entries(self) -> set[str]:
        """Names that its lists describe."""
        found = (ENTRY.match(line) for name in LISTS for line in self.sections.get(name, "").split("\n"))
        return {name for match in found if match for name in match.group(1).split(", ")}


def parsed(about: Any) -> Docstring:
    """Take the docstring of something apart."""
    text = inspect.getdoc(about) or ""
    first, *rest = HEADER.split(text)
    named = dict(zip(rest[::2], rest[1::2], strict=True))
    return Docstring(
        text.split("\n")[0], {"": first.strip("\n")} | {k: v.strip("\n") for k, v in named.items()}
    )


def _section(name: str, text: str) -> str:
    if name == "Examples":
        return f"**Examples**\n\n{_examples(text)}"
    if name in LISTS:
        return f"**{name}**\n\n{_entries(text)}"
    paragraphs = text.split("\n\n")
    return "\n\n".join(_entries(part) if ENTRY.match(part.split("\n")[0]) else part for part in paragraphs)


def _entries(text: str) -> str:
    """A list of names and what they are."""
    found: list[tuple[str, list[str]]] = []
    for line in text.split("\n"):
        if line.startswith(" "):
            found[-1][1].append(line.strip())
        else:
            match = ENTRY.match(line)
            found.append((match.group(1), [match.group(2)]) if match else (line, []))
    return "\n\n".join(
        f"{_terms(names)}\n:   {_sentence(lines)}" if lines else names for names, lines in found
    )


def _terms(names: str) -> str:
    return ", ".join(f"`{name}`" for name in names.split(", "))


def _sentence(lines: list[str]) -> str:
    """A type, if the first line is one, and the text."""
    first, rest = lines[0], " ".join(lines[1:])
    is_type = rest[:1].isupper() and first[-1] not in ".,;:"
    return f"{first}. {rest}" if is_type else f"{first} {rest}".strip()


def _examples(text: str) -> str:
    """Doctests as plain code, which can be copied, with what they give in comments."""
    parts, code = [], ""
    text = text.replace('getfixture("tmp_path") / ', "")  # the folder of a test
    for piece in doctest.DocTestParser().parse(text):
        if isinstance(piece, doctest.Example):
            want = [line for line in piece.want.split("\n") if line and not line.startswith("Traceback")]
            code += piece.source + "".join(f"# {line}\n" for line in want)
        elif piece.strip():
            parts += [_fenced(code), piece.strip()] if code else [piece.strip()]
            code = ""
    return "\n\n".join([*parts, _fenced(code)] if code else parts)


def _fenced(code: str) -> str:
    return f"```python\n{code}```"
