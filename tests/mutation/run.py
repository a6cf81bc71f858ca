"""Run the mirrored tests against each mutant; report those that no test notices.

``python tests/mutation/run.py`` runs all of them, ``--only gjk`` those whose name has the word. Every mutant
is compiled: all take some 40 minutes on two cores. The unchanged package goes first, lest tests fail anyway.
"""

import argparse
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from mutation.mutants import MUTANTS, Mutant
from mutation.mutate import ROOT, write_copy

WORK = ROOT / ".cache" / "mutation"
PASSED, FAILED = 0, 1  # as pytest says it


def main() -> int:
    options = _options()
    chosen = [mutant for mutant in MUTANTS if any(word in mutant.name for word in options.only)]
    folders: SimpleQueue[Path] = SimpleQueue()
    for k in range(options.jobs):
        folders.put(WORK / str(k))

    def task(tests: str) -> int:
        """Take all mutants that a test file is asked about, one after the other; count bad news."""
        folder = folders.get()
        asked = [None] * (not options.mutants_only)
        asked += [mutant for mutant in chosen if mutant.tests == tests]
        try:
            return sum(_is_bad(mutant, tests, folder, options.seconds) for mutant in asked)
        finally:
            folders.put(folder)

    with ThreadPoolExecutor(options.jobs) as pool:
        n_bad = sum(pool.map(task, dict.fromkeys(mutant.tests for mutant in chosen)))
    sys.stdout.write(f"{len(chosen)} mutants, {n_bad} times bad news\n")
    return int(n_bad > 0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", default=[""], help="words in the names of the mutants to run")
    parser.add_argument("--mutants-only", action="store_true", help="without the package as it is")
    parser.add_argument("--jobs", type=int, default=2, help="how many at once")
    parser.add_argument("--seconds", type=float, default=900.0, help="what is not done by then is noticed")
    return parser.parse_args()


def _is_bad(mutant: Mutant | None, tests: str, folder: Path, seconds: float) -> bool:
    """Say what becomes of a mutant, or of the package as it is; and whether that is bad news."""
    began = time.monotonic()
    write_copy(folder, mutant)
    code = _run(folder, tests, seconds)
    word = "survives" if code == PASSED else "is caught" if code == FAILED else f"ends by {code}"
    if code is None:
        word = "is caught by the clock"
    is_bad = code != PASSED if mutant is None else code is not None and (code == PASSED or code > FAILED)
    what = f"as it is, {tests}" if mutant is None else mutant.name
    mark = "BAD " if is_bad else ""
    sys.stdout.write(f"{time.monotonic() - began:4.0f} s  {mark}{word}: {what}\n")
    sys.stdout.flush()
    return is_bad


def _run(folder: Path, tests: str, seconds: float) -> int | None:
    """What pytest says of the copy in a folder; None where it takes too long."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": str(folder / "numba")}
    flags = ("-x", "-q", "--full", "-p", "no:cacheprovider", "--hypothesis-seed=0")
    command = [sys.executable, "-m", "pytest", *flags, str(ROOT / "tests" / tests)]
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, timeout=seconds, check=False, capture_output=True
        )
    except subprocess.TimeoutExpired:
        return None
    (folder / "last.txt").write_bytes(done.stdout + done.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
