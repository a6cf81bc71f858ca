"""Makes a pack: the machine code of all drivers, for all processors of some years, for a wheel to carry.

`python wheels/make_pack.py FOLDER` compiles what `firstcontact warmup` reaches, for a baseline processor, and
writes one file into the folder. What was compiled stays in `.cache/pack`: a second run compiles only what
changed. It fails where a driver is not reached: then warm-up lacks a line.
"""

import os
import platform
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# Processors with AVX2, from 2013 (Intel) and 2015 (AMD) on; and all 64-bit ARM. By the compiler's names.
_X86_64_V3 = (
    "avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sahf",
    "sse3", "sse4.1", "sse4.2", "ssse3", "xsave",
)  # fmt: skip
BASELINES = {
    "x86_64": ("x86-64-v3", _X86_64_V3),
    "amd64": ("x86-64-v3", _X86_64_V3),
    "aarch64": ("generic", ()),
    "arm64": ("generic", ()),
}


def main() -> None:
    """Compile in processes of their own, which are told before they start what to compile for."""
    folder = Path(sys.argv[1]).resolve()
    if platform.machine().lower() not in BASELINES:
        sys.exit(f"no baseline is known for {platform.machine()}: the pure wheel serves there")
    processor, _ = BASELINES[platform.machine().lower()]
    environment = os.environ | {
        "NUMBA_CPU_NAME": processor,
        "NUMBA_CPU_FEATURES": "",  # else those of this machine
        "NUMBA_NUM_THREADS": "2",  # some drivers are for work that threads share
        "NUMBA_CACHE_DIR": os.environ.get("FIRSTCONTACT_PACK_CACHE", str(ROOT / ".cache" / "pack")),
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT / "wheels")]),
    }
    gather = f"import gather; gather.write({str(folder)!r})"
    for words in (["-m", "firstcontact", "warmup"], ["-c", gather]):
        subprocess.run([sys.executable, *words], env=environment, cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
