"""Shipped machine code: used where it fits; compiled, with the same answers, where anything does not."""

import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest
from numba.core.dispatcher import Dispatcher

import firstcontact
from firstcontact._waiting import _codes
from test_jit import package_copy, run

pytestmark = pytest.mark.compiler

# Compiles two drivers, packs them as a wheel would carry them, and looks for them as new processes would.
SHIP = """
import os, pickle, warnings
from pathlib import Path
import numpy as np, numba
from numba.core import event
from firstcontact import _found_code, _jit, _kept_code, _object_code, _shipped_pack
from firstcontact._shipped_pack import Entry, Pack, host_of, write_pack
from firstcontact._sources import digest_of
import kernels

heard = event.RecordingListener()
event.register("numba:compile", heard)
made = host_of(numba.__version__, np.__version__).made
sources = digest_of(Path(kernels.__file__))
kernels.halved(3.0), kernels.divided(1.0, 2.0)
entries, codes = [], []
for one in (kernels.halved, kernels.divided):
    (signature,) = one.overloads
    entries.append(Entry("kernels", one.__name__, sources, repr(signature), 0, 0, ""))
    codes.append(one._cache.kept.record_for(signature, one.targetctx))
whole = Pack(_shipped_pack.FOLDER / "test.pack", made, "here", (), (), tuple(entries))
os.environ["NUMBA_CACHE_DIR"] = numba.config.CACHE_DIR = os.devnull + "/none"

def answers():
    "What a new process would get: two answers, how many functions were compiled, and the warnings."
    for cached in (_shipped_pack.packs, _found_code._entries, _found_code.kept_home):
        cached.cache_clear()
    _kept_code._told.clear()
    heard.buffer.clear()
    halved, divided = (_jit.driver(one.py_func) for one in (kernels.halved, kernels.divided))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = halved(3.0), divided(1.0, 2.0)
    assert found == (1.5, 0.5), found
    return len(heard.buffer) // 2, [str(warning.message) for warning in told]

def shipped(pack=whole, codes=codes):
    write_pack(pack, codes)
    return answers()
"""

FITS = """
assert shipped() == (0, []), shipped()
assert _found_code.kept_home.cache_info().currsize == 0  # nobody looked for a folder

# Beside a pack for another compiler, whichever comes first.
for name in ("a.pack", "z.pack"):
    other = whole._replace(path=_shipped_pack.FOLDER / name, made=made._replace(numba="0.1"))
    write_pack(other, codes)
    assert answers() == (0, []), answers()
print("fine")
"""

MISMATCHES = """
NOT_KEPT = ["machine code is not kept, since no folder is writable; NUMBA_CACHE_DIR can name one"]
for field in made._fields:
    assert shipped(whole._replace(made=made._replace(**{field: "other"}))) == (2, NOT_KEPT), field
assert shipped(whole._replace(features=("no-such-feature",))) == (2, NOT_KEPT)
changed = tuple(entry._replace(sources="0") for entry in whole.entries)
assert shipped(whole._replace(entries=changed)) == (2, NOT_KEPT)
# One is missing: what is shipped and what is compiled mix.
assert shipped(whole._replace(entries=whole.entries[:1]), codes[:1]) == (1, NOT_KEPT)
os.environ["FIRSTCONTACT_COMPILE"] = "1"
assert shipped() == (2, NOT_KEPT)
del os.environ["FIRSTCONTACT_COMPILE"]
numba.config.BOUNDSCHECK = 1
assert shipped() == (2, NOT_KEPT)
numba.config.BOUNDSCHECK = None

def edited(**parts):
    return [_object_code._compiler.dumps(tuple(_object_code._Record(*pickle.loads(code))._replace(**parts)))
            for code in codes]

assert shipped(codes=edited(needed=("a_name_that_no_process_has",))) == (2, NOT_KEPT)
assert shipped(codes=edited(signature=numba.float64(numba.int8))) == (2, NOT_KEPT)
assert shipped() == (0, [])
print("fine")
"""

DAMAGE = """
for content in (b"", b"no pickle", pickle.dumps(5), pickle.dumps((b"", (), 1, 2, 3))):
    n, told = shipped(codes=[content, content])
    assert n == 2 and len(told) == 1 and "compiled anew" in told[0], (n, told)

assert shipped() == (0, [])
content = whole.path.read_bytes()
rng = np.random.default_rng(1)
for place in rng.integers(len(content), size=12).tolist():
    flipped = bytearray(content)
    flipped[place] ^= 4
    whole.path.write_bytes(flipped)
    n, told = answers()
    assert n > 0 and len(told) == 1, (place, n, told)
print("fine")
"""

THREADS = """
from concurrent.futures import ThreadPoolExecutor
shipped()
_shipped_pack.packs.cache_clear(); _found_code._entries.cache_clear()
heard.buffer.clear()
drivers = [_jit.driver(kernels.halved.py_func) for _ in range(8)]
with ThreadPoolExecutor(8) as pool:
    found = list(pool.map(lambda i: drivers[i % 8](float(i)), range(400)))
assert found == [i / 2.0 for i in range(400)]
assert not heard.buffer
print("fine")
"""


def shipped(folder: Path, script: str) -> str:
    package_copy(folder)
    return run(folder, SHIP + script, NUMBA_CACHE_DIR=str(folder / "cache"))


def test_code_that_fits_is_used_and_nothing_is_compiled(tmp_path):
    assert shipped(tmp_path, FITS) == "fine"


def test_code_that_does_not_fit_is_compiled(tmp_path):
    assert shipped(tmp_path, MISMATCHES) == "fine"


def test_damaged_code_is_compiled_and_told_of(tmp_path):
    assert shipped(tmp_path, DAMAGE) == "fine"


def test_threads_may_be_the_first_to_ask_together(tmp_path):
    assert shipped(tmp_path, THREADS) == "fine"


def test_no_compiled_function_calls_a_driver():
    """Of a driver only its object file is kept and shipped: no other function can be compiled with it."""
    compiled = {id(one): one for one in dispatchers()}.values()
    drivers = {id(one) for one in compiled if one._cache.is_driver}
    assert len(drivers) > 80
    assert len(compiled) > 500
    for one in compiled:
        names = {name for code in _codes(one.py_func.__code__) for name in code.co_names}
        called = [name for name in names if id(one.py_func.__globals__.get(name)) in drivers]
        assert not called, f"{one.__module__}.{one.__name__} calls {called}"


def dispatchers():
    for module in walk_packages(firstcontact.__path__, "firstcontact."):
        if not module.name.startswith(("firstcontact.cli", "firstcontact.viz", "firstcontact.__main__")):
            import_module(module.name)
    for name, module in list(sys.modules.items()):
        if name.startswith("firstcontact."):
            yield from (value for value in vars(module).values() if isinstance(value, Dispatcher))
