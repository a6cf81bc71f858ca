"""The pages of the gallery, in the order in which its index has them."""

import re
from pathlib import Path
from typing import Any

EVERYTHING = "gallery/*"
LINK = re.compile(r"\]\((\w[\w-]*\.md)\)")


def on_config(config: Any) -> None:
    """Put all pages of the gallery in the place of `gallery/*` in the navigation."""
    for section in config["nav"]:
        for title, pages in section.items():
            if pages == [EVERYTHING]:
                section[title] = pages_of(Path(config["docs_dir"]) / "gallery")


def pages_of(folder: Path) -> list[str]:
    """The index, the pages that it links to, and those that it forgets."""
    linked = LINK.findall((folder / "index.md").read_text(encoding="utf-8"))
    names = dict.fromkeys(["index.md", *linked, *sorted(path.name for path in folder.glob("*.md"))])
    return [f"gallery/{name}" for name in names]
