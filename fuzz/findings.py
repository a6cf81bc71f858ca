"""Findings: a sentence that says what is wrong, the case that shows it, and how to run it again."""

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?|\b(inf|nan)\b", re.IGNORECASE)

# Numbers in a row, of a vector or a table: how many they are does not matter.
_ROW = re.compile(r"#([\s,\[\]()]*#)+")


@dataclass(frozen=True)
class Finding:
    """A case of a family that shows something wrong; `detail` is the traceback, or a process's last words."""

    family: str
    seed: int
    number: int
    sentence: str
    case: Any = None
    detail: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What two findings that are the same have in common: the family, and all words but numbers."""
        return self.family, _ROW.sub("#", _NUMBER.sub("#", self.sentence))


def write(finding: Finding, folder: Path) -> Path:
    """Keep a finding as a file, a line for each field."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{finding.family}-{finding.seed}-{finding.number}.json"
    lines = (f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in asdict(finding).items())
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    return path


def read(text: str) -> Finding:
    """Read a finding from its file, or from ``family:seed:number``, which is all that makes a case."""
    name, *numbers = text.rsplit(":", 2)
    if len(numbers) == 2 and all(number.isdigit() for number in numbers):
        return Finding(name, int(numbers[0]), int(numbers[1]), "")
    return Finding(**json.loads(Path(text).read_text(encoding="utf-8")))
