"""What is published holds what it should, and nothing else."""

import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

import firstcontact

pytestmark = pytest.mark.packaging

SOURCE = Path(firstcontact.__file__).parent

# Beside Python's own: the mark of typed packages, and what the viewer's page is made of.
DATA = {".typed", ".css", ".html", ".js"}


@pytest.fixture(scope="module")
def names(archives):
    with zipfile.ZipFile(archives.wheel) as wheel:
        return set(wheel.namelist())


@pytest.fixture(scope="module")
def metadata(archives, names):
    (name,) = (name for name in names if name.endswith(".dist-info/METADATA"))
    with zipfile.ZipFile(archives.wheel) as wheel:
        return Parser().parsestr(wheel.read(name).decode())


def sources():
    """All files of the package, by their names within a wheel."""
    files = (path for path in SOURCE.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(SOURCE.parent).as_posix() for path in files}


def test_the_wheel_is_for_every_platform(archives):
    assert archives.wheel.name == f"firstcontact-{firstcontact.__version__}-py3-none-any.whl"


def test_the_wheel_holds_the_package_and_nothing_else(names):
    info = f"firstcontact-{firstcontact.__version__}.dist-info"
    own = {f"{info}/{name}" for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt")}
    assert names == sources() | own | {f"{info}/licenses/LICENSE"}


def test_the_package_has_only_sources_and_the_page():
    assert {Path(name).suffix for name in sources()} <= DATA | {".py"}
    page = {f"firstcontact/viz/page.{suffix}" for suffix in ("css", "html", "js")}
    assert page | {"firstcontact/py.typed"} <= sources()


def test_the_source_archive_builds_the_same_wheel(archives):
    assert archives.wheel_of_sdist.name == archives.wheel.name
    with zipfile.ZipFile(archives.wheel) as wheel, zipfile.ZipFile(archives.wheel_of_sdist) as other:
        assert {one: wheel.read(one) for one in wheel.namelist()} == {
            one: other.read(one) for one in other.namelist()
        }


def test_the_source_archive_has_sources_tests_and_no_caches(archives):
    with tarfile.open(archives.sdist) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    assert {f"src/{name}" for name in sources()} <= names
    assert {"LICENSE", "README.md", "pyproject.toml", "tests/conftest.py"} <= names
    assert not [name for name in names if "/.cache" in f"/{name}" or name.endswith((".pyc", ".code"))]
    assert not [name for name in names if "__pycache__" in name]


def test_the_metadata_says_what_a_page_of_the_package_shows(metadata):
    assert metadata["Name"] == "firstcontact"
    assert metadata["Version"] == firstcontact.__version__
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert metadata.get_payload().startswith("# firstcontact")


def test_what_is_optional_is_an_extra(metadata):
    needed = {one.split(">")[0] for one in metadata.get_all("Requires-Dist") if "extra ==" not in one}
    assert needed == {"numpy", "numba", "scipy", "trimesh", "tqdm"}
    assert {"view", "robots"} <= set(metadata.get_all("Provides-Extra"))
