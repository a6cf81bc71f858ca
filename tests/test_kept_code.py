"""Machine code on disk: damaged, foreign, unwritable or gone, it is compiled anew, with one warning."""

import os
import stat
from pathlib import Path

import pytest

from samples import sample
from test_jit import run

pytestmark = pytest.mark.compiler

# Loads the kernel again and again, as new processes would, with the file changed in between.
DAMAGE = """
import sys, warnings
from pathlib import Path
import numpy as np
from firstcontact import _jit, _kept_code
import kernels

def answer():
    "What a new process would get: the answer, whether it was kept, and the warnings."
    _kept_code._told.clear()
    one = _jit.driver(kernels.halved.py_func)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        half = one(3.0)
    return half, sum(one.stats.cache_hits.values()), [str(warning.message) for warning in told]

answer()
(file,) = Path(sys.argv[1]).rglob("halved-*.code")
whole = file.read_bytes()
assert answer() == (1.5, 1, []), answer()

def check(content):
    file.write_bytes(content)
    half, hits, told = answer()
    assert (half, hits, len(told)) == (1.5, 0, 1), (half, hits, told)
    assert "compiled anew" in told[0]
    assert answer() == (1.5, 1, []), "the new code is kept"
"""

CUTS = """
for length in (0, 1, 31, 32, 33, 100, len(whole) // 2, len(whole) - 1):
    check(whole[:length])
check(whole + b"!")
check(b"another file altogether")
print("fine")
"""

FLIPS = f"""
rng = np.random.default_rng(1)
for place in rng.integers(8 * len(whole), size={sample(15, of=60)}).tolist():
    flipped = bytearray(whole)
    flipped[place // 8] ^= 1 << place % 8
    check(flipped)
print("fine")
"""

FOREIGN = """
import hashlib, pickle
one = _jit.driver(kernels.divided.py_func)
one(1.0, 2.0)
(other,) = Path(sys.argv[1]).rglob("divided-*.code")
check(other.read_bytes())

# Whole, and what it should be by its checksum, but of a compiler that nobody has.
key = kernels.halved._cache.kept._key(
    kernels.halved.signatures[0] if kernels.halved.signatures else (kernels.halved.typeof_pyval(3.0),),
    kernels.halved.targetctx.codegen(),
)
for payload in (b"", b"no pickle", pickle.dumps(5), pickle.dumps((1, 2)), b"cnowhere\\nthing\\n."):
    for marked in (payload, b"O" + payload, b"W" + payload):
        check(_kept_code._checksum(key, marked) + marked)
print("fine")
"""


def damaged(folder: Path, script: str) -> str:
    cache = folder / "cache"
    return run(
        folder, f"import sys; sys.argv = ['', {str(cache)!r}]\n{DAMAGE}{script}", NUMBA_CACHE_DIR=str(cache)
    )


@pytest.mark.parametrize("script", [CUTS, FLIPS, FOREIGN], ids=["cut short", "bits flipped", "foreign"])
def test_damaged_code_is_compiled_anew(tmp_path, script):
    assert damaged(tmp_path, script) == "fine"


CALL = """
import warnings
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    from kernels import *
    {between}
    print(halved(3.0), divided(1.0, 2.0))
for warning in told:
    print(warning.category.__name__, warning.message)
"""


# The place is looked for when it is first needed.
FOUND = "halved._cache.kept, divided._cache.kept"


def called(folder: Path, between: str = "", **environment: str) -> list[str]:
    environment = {"NUMBA_CACHE_DIR": str(folder / "cache")} | environment
    return run(folder, CALL.format(between=between), **environment).splitlines()


def test_a_folder_that_vanishes_is_made_again(tmp_path):
    gone = f"{FOUND}; import shutil; shutil.rmtree({str(tmp_path / 'cache')!r})"
    assert called(tmp_path, gone) == ["1.5 0.5"]
    assert list((tmp_path / "cache").rglob("*.code"))


def test_a_file_in_the_place_of_the_folder_is_told_once(tmp_path):
    cache = str(tmp_path / "cache")
    taken = f"{FOUND}; import shutil; shutil.rmtree({cache!r}); open({cache!r}, 'w').close()"
    answer, told = called(tmp_path, taken)
    assert answer == "1.5 0.5"
    assert told.startswith(f"RuntimeWarning machine code in {cache}")


def test_no_folder_at_all_is_told_once(tmp_path):
    (tmp_path / "cache").write_text("")
    answer, told = called(tmp_path)
    assert answer == "1.5 0.5"
    assert "no folder is writable" in told


def test_a_full_disk_is_told_once_and_leaves_nothing_behind(tmp_path):
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))"
    answer, told = called(tmp_path, full)
    assert answer == "1.5 0.5"
    assert "cannot be kept (File too large)" in told
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()] == []


def test_a_warning_that_is_an_error_is_none_here(tmp_path):
    (tmp_path / "cache").write_text("")
    script = "import warnings; warnings.simplefilter('error'); from kernels import *; print(halved(3.0))"
    assert run(tmp_path, script, NUMBA_CACHE_DIR=str(tmp_path / "cache")) == "1.5"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="users have no numbers here")
def test_a_folder_that_others_may_write_to_is_not_trusted(tmp_path):
    assert called(tmp_path) == ["1.5 0.5"]
    (folder,) = (tmp_path / "cache").iterdir()
    assert stat.S_IMODE(folder.stat().st_mode) & 0o022 == 0
    folder.chmod(0o777)
    answer, told = called(tmp_path)
    assert answer == "1.5 0.5"
    assert "is not used, since other users may write to it" in told


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only the superuser can give away"
)
def test_a_folder_of_another_user_is_not_trusted(tmp_path):
    called(tmp_path)
    (folder,) = (tmp_path / "cache").iterdir()
    os.chown(folder, 12345, -1)
    answer, told = called(tmp_path)
    assert answer == "1.5 0.5"
    assert "is not used, since it belongs to another user" in told


def test_processes_that_write_at_once_leave_whole_files(tmp_path):
    script = """
import subprocess, sys
work = "from kernels import *; assert (halved(3.0), divided(1.0, 2.0)) == (1.5, 0.5)"
workers = [subprocess.Popen([sys.executable, "-W", "error", "-c", work]) for _ in range(3)]
print(*(worker.wait() for worker in workers))
"""
    assert run(tmp_path, script, NUMBA_CACHE_DIR=str(tmp_path / "cache")) == "0 0 0"
    files = [path.name for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert sorted(name.split("-")[0] for name in files) == ["divided", "halved"]
    assert called(tmp_path) == ["1.5 0.5"]


def test_the_same_sources_elsewhere_share_their_code(tmp_path):
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    script = "from kernels import halved; halved(1.0); print(sum(halved.stats.cache_hits.values()))"
    hits = [
        run(tmp_path / name, script, NUMBA_CACHE_DIR=str(tmp_path / "cache")) for name in ("here", "there")
    ]
    assert hits == ["0", "1"]


def test_an_edit_of_the_file_itself_counts(tmp_path):
    script = "from kernels import halved; print(halved(1.0), sum(halved.stats.cache_hits.values()))"
    cache = str(tmp_path / "cache")
    assert run(tmp_path, script, NUMBA_CACHE_DIR=cache) == "0.5 0"
    edited = script.replace(
        "from",
        "import pathlib; p = pathlib.Path('kernels.py'); "
        "p.write_text(p.read_text().replace('x / 2.0', 'x / 4.0')); from",
        1,
    )
    assert run(tmp_path, edited, NUMBA_CACHE_DIR=cache) == "0.25 0"
