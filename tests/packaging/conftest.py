"""What the packaging tests share: the archives, built once, and an environment that has only the wheel."""

import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import NamedTuple

import pytest

from firstcontact._shipped_pack import Pack, read_pack

ROOT = Path(__file__).resolve().parents[2]


class Archives(NamedTuple):
    """What is published, and the wheel that someone gets who builds from the source archive."""

    wheel: Path
    sdist: Path
    wheel_of_sdist: Path


class Fresh(NamedTuple):
    """An environment with the wheel and its dependencies, and no extras."""

    scripts: Path
    folder: Path

    def run(self, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run one of its programs, outside the checkout and untouched by the settings of this process."""
        kept = {key: os.environ[key] for key in ("HOME", "PATH", "SYSTEMROOT") if key in os.environ}
        return subprocess.run(
            [self.scripts / command[0], *command[1:]],
            env=kept | environment,
            cwd=self.folder,
            check=False,
            capture_output=True,
            text=True,
            timeout=600,
        )

    def python(self, script: str, **environment: str) -> str:
        """Run a script that must succeed; give what it printed."""
        done = self.run("python", "-W", "error", "-c", script, **environment)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


@pytest.fixture(scope="session")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Archives:
    """Build a wheel from the checkout; a source archive; and a wheel from that."""
    straight, by_archive = tmp_path_factory.mktemp("straight"), tmp_path_factory.mktemp("by_archive")
    for folder, options in ((straight, ["--wheel"]), (by_archive, [])):
        build = [sys.executable, "-m", "build", "--outdir", str(folder), *options, str(ROOT)]
        done = subprocess.run(build, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = straight.glob("*.whl")
    (sdist,) = by_archive.glob("*.tar.gz")
    (wheel_of_sdist,) = by_archive.glob("*.whl")
    return Archives(wheel, sdist, wheel_of_sdist)


@pytest.fixture(scope="session")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    """Make the pack of all machine code; what the tests compiled for it is found."""
    folder = tmp_path_factory.mktemp("packs")
    command = [sys.executable, str(ROOT / "wheels" / "make_pack.py"), str(folder)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("*.pack")
    return read_pack(path)


@pytest.fixture(scope="session")
def platform_wheel(pack: Pack, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel that carries the pack."""
    folder = tmp_path_factory.mktemp("platform")
    build = [sys.executable, "-m", "build", "--outdir", str(folder), "--wheel", str(ROOT)]
    packs = {"FIRSTCONTACT_PACKS": str(pack.path.parent)}
    done = subprocess.run(build, check=False, capture_output=True, text=True, env=os.environ | packs)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="session")
def shipped(fresh: Fresh, platform_wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Fresh:
    """Install that wheel into an environment of its own, which takes the dependencies from the other one."""
    folder = tmp_path_factory.mktemp("shipped")
    venv.create(folder / "venv", with_pip=False)
    environment = Fresh(folder / "venv" / fresh.scripts.name, folder)
    (place,) = (
        Path(path) for path in environment.python("import site; print(*site.getsitepackages())").split()
    )
    others = fresh.python("import site; print(*site.getsitepackages())")
    (place / "dependencies.pth").write_text(others)
    command = [
        "--python",
        str(environment.scripts / "python"),
        "install",
        "--quiet",
        "--no-deps",
        "--ignore-installed",
    ]
    done = fresh.run("python", "-m", "pip", *command, str(platform_wheel))
    assert done.returncode == 0, done.stderr
    return environment


@pytest.fixture(scope="session")
def fresh(archives: Archives, tmp_path_factory: pytest.TempPathFactory) -> Fresh:
    """Install the wheel as a user would."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder / "venv", with_pip=True)
    environment = Fresh(folder / "venv" / ("Scripts" if os.name == "nt" else "bin"), folder)
    command = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(archives.wheel)]
    pip_settings = {key: value for key, value in os.environ.items() if key.startswith("PIP_")}
    done = environment.run("python", *command, **pip_settings)
    assert done.returncode == 0, done.stderr
    return environment
