"""The fenced blocks of a Markdown file, and the commands in those that are for a shell."""

import re
import shlex
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]

# A fence, how far it is indented, its language, its code; before it, perhaps, why it is not run.
FENCE = re.compile(
    r"^(?:[ ]*<!-- not run: (?P<reason>[^\n]+?) -->\n+)?"
    r"(?P<indent>[ ]*)```[ ]*(?P<language>\w*)[^\n`]*\n(?P<code>.*?)^(?P=indent)```[ ]*$",
    flags=re.MULTILINE | re.DOTALL,
)
SHELLS = {"bash", "console"}
# A script of examples/ that a page shows instead of code of its own.
SCRIPT = re.compile(r'-+8<-+ "([^":]+)[^"]*"\s*$')
# A command that gives something else than 0 says so in a comment.
EXIT_STATUS = re.compile(r"#.*\bexit status (\d+)")


class Block(NamedTuple):
    """Code, its language, the line of the document before it, and why it is not run, if it is not."""

    language: str
    code: str
    line: int
    reason: str | None

    @property
    def script(self) -> str | None:
        """The script that the page shows here, if it does."""
        found = SCRIPT.match(self.code)
        return found.group(1) if found else None


class Command(NamedTuple):
    """A line for a shell, and the exit status that it should have."""

    line: str
    status: int

    @property
    def words(self) -> list[str] | None:
        """What comes after the name of the program; None where it takes a shell to tell."""
        line = self.line.split(" #")[0]
        return None if set(line) & set("|<>*?$;&`~") else shlex.split(line)[1:]


def documents() -> list[Path]:
    """README.md and all pages of the documentation."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(text: str) -> list[Block]:
    """Find all fenced blocks, in their order."""
    return [
        Block(
            match["language"],
            _without_indent(match["code"], len(match["indent"])),
            text.count("\n", 0, match.start("code")),
            match["reason"],
        )
        for match in FENCE.finditer(text)
    ]


def commands(block: Block) -> list[Command]:
    """Find the commands of this project in a block for a shell; other lines are of no concern here."""
    lines = block.code.replace("\\\n", " ").split("\n")
    if block.language == "console":  # what is typed begins with a prompt, all else is printed
        lines = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    return [
        Command(line, int(found.group(1)) if (found := EXIT_STATUS.search(line)) else 0)
        for line in lines
        if line.startswith("firstcontact ")
    ]


def _without_indent(code: str, width: int) -> str:
    return "".join(line[width:] if line.strip() else "\n" for line in code.splitlines(keepends=True))
