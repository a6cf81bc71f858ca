"""The processors that wheels carry machine code for, and how the compiler is told to work for them.

`python wheels/baseline.py WORDS` starts Python with these words, and has all that is compiled made for the
baseline: tests try the code that is shipped, and a wheel built after them finds it compiled. On a processor
below the baseline, and where none is known, code is made for the one that is here.
"""

import os
import platform
import subprocess
import sys

# Processors with AVX2, from 2013 (Intel) and 2015 (AMD) on; and all 64-bit ARM. By the compiler's names.
_X86_64_V3 = (
    "avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sahf",
    "sse3", "sse4.1", "sse4.2", "ssse3", "xsave",
)  # fmt: skip
_BASELINES = {
    "x86_64": ("x86-64-v3", _X86_64_V3),
    "amd64": ("x86-64-v3", _X86_64_V3),
    "aarch64": ("generic", ()),
    "arm64": ("generic", ()),
}


def baseline() -> tuple[str, tuple[str, ...]] | None:
    """Give the processor's name and what it can do, by the compiler's names; None where none is known."""
    return _BASELINES.get(platform.machine().lower())


def settings(processor: str) -> dict[str, str]:
    """Give the environment in which the compiler works for a processor."""
    return {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": ""}  # else the features of this machine


def main() -> None:
    """Start Python with the words given."""
    found = baseline()
    chosen = settings(found[0]) if found and _has(found[1]) else {}
    sys.exit(subprocess.run([sys.executable, *sys.argv[1:]], env=os.environ | chosen, check=False).returncode)


def _has(features: tuple[str, ...]) -> bool:
    """Can the processor that is here do all of that?"""
    from llvmlite import binding

    able = binding.get_host_cpu_features()
    return all(able.get(name, False) for name in features)


if __name__ == "__main__":
    main()
