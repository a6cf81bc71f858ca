"""Makes a pack: the machine code of all drivers, for all processors of some years, for a wheel to carry.

`python wheels/make_pack.py FOLDER` compiles what `firstcontact warmup` reaches, for a baseline processor, and
writes one file into the folder. What was compiled is kept where all machine code is: what the tests compiled
is found there, and a second run compiles only what changed. It fails where a driver is not reached: then
warm-up lacks a line.
"""

import os
import platform
import subprocess
import sys
from pathlib import Path

from baseline import baseline, settings

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Compile in processes of their own, which are told before they start what to compile for."""
    folder = Path(sys.argv[1]).resolve()
    found = baseline()
    if found is None:
        sys.exit(f"no baseline is known for {platform.machine()}: the pure wheel serves there")
    environment = (
        os.environ
        | settings(found[0])
        | {
            "NUMBA_NUM_THREADS": "2",  # some drivers are for work that threads share
            "NUMBA_CACHE_DIR": os.environ.get("NUMBA_CACHE_DIR", str(ROOT / ".cache" / "numba")),
            "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT / "wheels")]),
        }
    )
    gather = f"import gather; gather.write({str(folder)!r})"
    for words in (["-m", "firstcontact", "warmup"], ["-c", gather]):
        subprocess.run([sys.executable, *words], env=environment, cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
