"""Runs a script in a process of its own, and lists the kernels that it compiled for more than one type."""

import os
import subprocess
import sys

START = """
import sys
import warnings
from itertools import product

import numba
import numpy as np
import firstcontact as fc

warnings.simplefilter("error")
rng = np.random.default_rng(1)
poses = np.tile(np.eye(4), (300, 1, 1))
poses[:, :3, 3] = 4.0 * rng.random((300, 3)) - 2.0
"""

END = """
dispatchers = {
    id(value): value
    for name, module in list(sys.modules.items())
    if name.split(".")[0] == "firstcontact"
    for value in vars(module).values()
    if isinstance(value, numba.core.dispatcher.Dispatcher)
}
compiled = {kernel.__name__: kernel.signatures for kernel in dispatchers.values() if kernel.signatures}
assert len(compiled) > 50, "hardly a kernel was compiled"
for name, signatures in compiled.items():
    # A constant argument makes a type of its own; that is the compiler's choice, and no other type of number.
    signatures = {tuple(numba.types.unliteral(argument) for argument in one) for one in signatures}
    # None is what a method has no use for: the kernel is compiled without the part that has.
    arguments = [{one for one in column if one != numba.types.none} for column in zip(*signatures)]
    if any(len(types) > 1 for types in arguments):
        print(name, *signatures, sep="\\n  ")
"""


def kernels_with_several(script, folder):
    """What is found, in words; nothing where each kernel was compiled once."""
    # An empty cache: functions that others call are not loaded from a full one, and so not seen.
    done = subprocess.run(
        [sys.executable, "-c", START + script + END],
        env=os.environ | {"NUMBA_CACHE_DIR": str(folder)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
