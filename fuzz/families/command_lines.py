"""Command lines of all kinds, in a folder of good, bad and missing files.

What is tried: words of every command, right ones and wrong ones, in any order. The referee is what the
command line promises: a status of 0, 1 or 2, after 2 one line that says why and is no fault of the program's
own, no traceback, and no file that is empty or half written.
"""

import contextlib
import io
import os
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from firstcontact.cli.main import main

SECONDS_A_CASE = 120.0

MESH = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"

ROBOT = """<robot name="arm"><link name="base"/><link name="arm"><collision><geometry><sphere radius="0.1"/>
</geometry></collision></link><joint name="slide" type="prismatic"><parent link="base"/><child link="arm"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""

# Files that a case may name; bytes that are no text, and texts that are no numbers, among them.
FILES: dict[str, bytes] = {
    "a.obj": MESH.encode(),
    "b.obj": MESH.replace("v 0 0 1", "v 0 0 2").encode(),
    "empty.obj": b"",
    "garbled.obj": b"v 1 2\xff\xfe\nf 1 2 900\n",
    "odd.ply": b"ply\nformat ascii 1.0\nelement vertex 3\n",
    "arm.urdf": ROBOT.encode(),
    "broken.urdf": ROBOT[:90].encode(),
    "path.csv": b"slide\n0\n0.5\n",
    "odd.csv": b"slide,slide\n1\nnan,x\n\xff\n",
    "pose.json": b"[[1,0,0,5],[0,1,0,0],[0,0,1,0],[0,0,0,1]]",
    "odd.json": b'{"a": [1, NaN',
    "odd.npz": b"PK\x03\x04 no archive",
}

THINGS = (
    *FILES,
    *(
        "missing.obj",
        "missing",
        ".",
        "sphere:1",
        "box:1,2,3",
        "capsule:1,2",
        "cylinder:1,2",
        "ellipsoid:1,2,3",
    ),
    *(
        "sphere:",
        "sphere:-1",
        "sphere:nan",
        "box:1,2",
        "cone:1",
        "sphere:1e999",
        "sphere:1_0",
        "",
        " ",
        "-",
        "--",
    ),
    *("\ud800", "\udcff.obj", "a\0b.obj", "a\nb.obj", "ä.obj", "x" * 300, "/dev/null", "sphere:" + "9" * 400),
)

COMMANDS = (
    *("check", "distance", "field", "sequence", "robot", "elementary", "view", "info", "completion"),
    "nothing",
)

OPTIONS = (
    *("--start-a", "--end-a", "--velocity-a", "--start-b", "--end-b", "--tolerance", "--min-separation"),
    *("--json", "--exit-code", "--view", "--solid", "--method", "--path", "--world", "--self-contact", "-o"),
    *("--slice", "--level", "--margin"),
    *("--first", "--exact", "--kind", "--degrees", "--help", "--version", "--srdf", "--nonsense"),
)

VALUES = (
    *("z=0", "x=nan", "q=1", "out.png", "out.stl"),
    *("0,0,5", "-1,0,0", "1,2", "a,b,c", "nan,0,0", "1e400,0,0", "pose.json", "odd.json", "0", "-1"),
    *(
        "inf",
        "1e400",
        "page.html",
        "page.txt",
        "nowhere/page.html",
        "out.csv",
        "out.json",
        "out.npz",
        "a.obj",
    ),
    *(
        "path.csv",
        "odd.csv",
        "c2a",
        "ca",
        "vertex-face",
        "bash",
        "euler=1,2,3",
        "quat=0,0,0,0",
        "\ud800.html",
    ),
)


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Choose words: mostly a command, some things, and options with values."""
    words = [str(rng.choice(COMMANDS))]
    words += [_one_of(rng, THINGS) for _ in range(int(rng.integers(0, 4)))]
    for _ in range(int(rng.integers(0, 4))):
        words.append(_one_of(rng, OPTIONS))
        if rng.random() < 0.7:
            words.append(_one_of(rng, VALUES))
    if rng.random() < 0.1:
        words = [words[i] for i in rng.permutation(len(words))]
    return {"words": words}


def _one_of(rng: np.random.Generator, words: tuple[str, ...]) -> str:
    return words[int(rng.integers(len(words)))]  # as they are: NumPy's texts end at a NUL


def check(case: dict[str, Any]) -> str | None:
    """Run the command in a folder of its own."""
    where, told, said = Path.cwd(), io.StringIO(), io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        for name, content in FILES.items():
            Path(folder, name).write_bytes(content)
        os.chdir(folder)
        try:
            with (
                contextlib.redirect_stdout(said),
                contextlib.redirect_stderr(told),
                warnings.catch_warnings(),
            ):
                warnings.simplefilter("error")
                status = main(case["words"])
        except SystemExit as left:
            status = left.code if isinstance(left.code, int) else 0
        except BaseException as error:
            return f"{type(error).__name__} leaves: {error}"
        finally:
            os.chdir(where)
        return _fault_of(status, told.getvalue(), Path(folder))


def _fault_of(status: int, told: str, folder: Path) -> str | None:
    lines = [line for line in told.splitlines() if line.strip()]
    if status not in (0, 1, 2):
        return f"the status is {status}"
    if "Traceback" in told or "fault of firstcontact itself" in told:
        return f"a fault of its own: {told[-300:]}"
    if status == 2 and not any(line.startswith("firstcontact: ") for line in lines):
        return f"no line says why: {told[-300:]}"
    for path in folder.rglob("*"):
        if path.name not in FILES and path.is_file() and (path.stat().st_size == 0 or path.suffix == ".part"):
            return f"{path.name} is left half written"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Leave one word out."""
    words = case["words"]
    for i in range(len(words)):
        yield {"words": words[:i] + words[i + 1 :]}
