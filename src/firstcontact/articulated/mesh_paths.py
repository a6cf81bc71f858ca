"""Where the mesh files are that a robot file names."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from urllib.parse import unquote
from urllib.request import url2pathname


def find_mesh(name: str, folder: Path, package_dirs: Sequence[Path]) -> Path | None:
    """Find the file that a robot file in `folder` means, or return None.

    A package is looked for in `package_dirs`, in the folders of ROS_PACKAGE_PATH, in `folder` and those
    around it; where none has its name, the rest of the path is tried in the same folders, as if each were it.
    """
    return next((path for path in _places(name, folder, package_dirs) if _is_file(path)), None)


def _places(name: str, folder: Path, package_dirs: Sequence[Path]) -> Iterator[Path]:
    scheme, mark, rest = name.partition("://")
    if not mark:
        # A path joined to a folder is itself where it is absolute.
        yield from (place / name for place in (folder, *package_dirs))
    elif scheme == "file":
        yield folder / url2pathname(rest)
    elif scheme in ("package", "model"):
        path = PurePosixPath(unquote(rest))
        known = os.environ.get("ROS_PACKAGE_PATH", "").split(os.pathsep)
        roots = (*package_dirs, *(Path(place) for place in known if place), folder, *folder.parents)
        yield from (root / path for root in roots)
        inner = path.relative_to(path.parts[0]) if path.parts else path
        yield from (root / inner for root in roots)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that the system does not take is no file
        return False
