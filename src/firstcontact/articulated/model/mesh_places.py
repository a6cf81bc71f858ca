"""Where the mesh files are that a robot file names.

A package is looked for by its name, and the first folder that is the package decides: one that `package_dirs`
or ROS_PACKAGE_PATH names or holds, one in the folder of the robot's file, one around it. Where there is none,
it is guessed, looking upwards from the robot's file: a folder beside one of those around it, or one of these
that has the file. Files outside of the robot's folder (the package that it is in, if any) and of the packages
so found are read on request only.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from urllib.parse import unquote
from urllib.request import url2pathname
from xml.etree import ElementTree

from firstcontact._validate import as_path, as_several

FilePath = str | os.PathLike[str]
PackageDirs = FilePath | Sequence[FilePath] | Mapping[str, FilePath]

_DESCRIPTION = "package.xml"
_LONGEST_DESCRIPTION = 2**20

# Folders around the robot's file in which a package that is nowhere else is looked for.
_UPWARDS = 6


class MeshPlaces:
    """The folders in which a robot file's meshes may be.

    Parameters
    ----------
    folder : of the robot's file
    package_dirs : folders that are packages or hold them, or the packages' folders by their names
    allow_outside : whether files may be outside of the robot's folder and of packages
    """

    def __init__(self, folder: Path, package_dirs: PackageDirs = (), allow_outside: bool = False) -> None:
        self._folder = folder.resolve()
        self._allow_outside = allow_outside
        self._named: dict[str, Path] = {}
        self._given: list[Path] = []
        if isinstance(package_dirs, Mapping):
            self._named = {name: as_path("package_dirs", place) for name, place in package_dirs.items()}
        elif isinstance(package_dirs, str | os.PathLike):
            self._given = [as_path("package_dirs", package_dirs)]
        else:
            self._given = [
                as_path("package_dirs", place) for place in as_several("package_dirs", package_dirs)
            ]
        around = (self._folder, *self._folder.parents)
        self._home = next((place for place in around if _is_file(place / _DESCRIPTION)), self._folder)
        upwards = [place for place in around[:_UPWARDS] if place != place.parent]
        self._upwards = upwards or [self._folder]
        self.guessed: dict[str, Path] = {}

    def find(self, name: str) -> Path | None:
        """Find the file that the robot's file means, or return None; `ValueError` where it may not be read.

        Where a package had to be guessed, `guessed` has its folder, to be told; no second package can be the
        same folder.
        """
        for path, roots in self._candidates(name):
            if _is_file(path):
                resolved = path.resolve()
                if not self._allow_outside and not any(map(resolved.is_relative_to, roots)):
                    raise ValueError(
                        f"the mesh file {name!r} is outside of the robot's folder, {roots[0]}; "
                        "allow_outside=True reads it"
                    )
                return resolved
        return None

    def _candidates(self, name: str) -> Iterator[tuple[Path, list[Path]]]:
        """Give where the file may be, each with the folders that it must not leave."""
        scheme, mark, rest = name.partition("://")
        own = [place.resolve() for place in (self._home, *self._given, *self._named.values())]
        if not mark:
            # A path joined to a folder is itself where it is absolute.
            yield from ((place / name, own) for place in (self._folder, *self._given))
        elif scheme == "file":
            yield self._folder / url2pathname(rest), own
        elif scheme in ("package", "model"):
            path = PurePosixPath(unquote(rest).lstrip("/"))
            if len(path.parts) > 1 and not path.is_absolute():
                yield from self._in_package(path.parts[0], path.relative_to(path.parts[0]))

    def _in_package(self, package: str, path: PurePosixPath) -> Iterator[tuple[Path, list[Path]]]:
        root = self._package(package)
        if root is None:
            root = self.guessed.get(package) or self._guess(package, path)
        if root is not None:
            yield root / path, [root.resolve()]

    def _guess(self, package: str, path: PurePosixPath) -> Path | None:
        """Look upwards for a folder that has a file of a package; remember it."""
        taken = self.guessed.values()
        for around in self._upwards:
            for place in (around / package, around):
                if place not in taken and _is_file(place / path):
                    return self.guessed.setdefault(package, place)
        return None

    def _package(self, name: str) -> Path | None:
        if name in self._named:
            return self._named[name]
        known = os.environ.get("ROS_PACKAGE_PATH", "").split(os.pathsep)
        for place in (*self._given, *(Path(place) for place in known if place), self._folder):
            if _is_package(place, name):
                return place
            if _is_folder(place / name):
                return place / name
        return next((place for place in self._folder.parents if _is_package(place, name)), None)


def _is_package(folder: Path, name: str) -> bool:
    """See whether a folder is a package, by its own name or by what its description says."""
    if folder.name == name or not _is_file(folder / _DESCRIPTION):
        return folder.name == name
    try:
        if (folder / _DESCRIPTION).stat().st_size > _LONGEST_DESCRIPTION:
            return False
        said = ElementTree.parse(folder / _DESCRIPTION).getroot().findtext("name", "")
    except (OSError, ElementTree.ParseError, ValueError, LookupError):  # no description then
        return False
    return said.strip() == name


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that the system does not take is no file
        return False


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False
