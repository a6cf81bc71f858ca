"""Run random cases of all families for some time: what they find is kept in small files, to run again.

make fuzz SECONDS=600 SEED=1 FAMILIES="contacts rays"
python fuzz/run.py --again fuzz/findings/contacts-1-523.json
python fuzz/run.py --again contacts:1:523
"""

import argparse
import os
import secrets
import signal
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from time import monotonic, sleep

ROOT = Path(__file__).resolve().parents[1]
os.environ.setdefault("NUMBA_CACHE_DIR", str(ROOT / ".cache" / "numba"))

from tqdm import tqdm  # noqa: E402

from catalogue import FAMILIES, names_in  # noqa: E402 - the cache has to be named before numba is loaded
from findings import read  # noqa: E402
from hunt import PATIENCE, WARM_UP, Board, Hunter, Tally  # noqa: E402
from worker import Worker  # noqa: E402

INTERRUPTED = 130


def main() -> int:
    """Read the options; hunt, or run a case again."""
    options = _options()
    if options.again:
        return again(options.again, options.folder)
    names = names_in(options.folder)
    chosen = options.families or names
    unknown = [name for name in chosen if name not in names]
    if unknown:
        print(f"no family is named {unknown[0]!r}; there are {', '.join(names)}")
        return 2
    seed = secrets.randbelow(10**6) if options.seed is None else options.seed
    print(f"seed {seed}, {options.seconds:g} s, {len(chosen)} families", flush=True)
    return hunt(chosen, seed, options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--seconds", type=float, default=600.0, help="how long, without the first cases (600)"
    )
    parser.add_argument("--seed", type=int, help="of the random numbers; told, and random, unless given")
    parser.add_argument("--families", nargs="*", help="some of them; all unless given")
    parser.add_argument("--workers", type=int, default=2, help="processes that share the families (2)")
    parser.add_argument(
        "--patience", type=float, default=PATIENCE, help="seconds, once more, for what hangs (240)"
    )
    parser.add_argument("--folder", type=Path, default=FAMILIES, help="where families are")
    parser.add_argument("--findings", type=Path, default=ROOT / "fuzz" / "findings", help="where findings go")
    parser.add_argument("--again", help="a finding's file, or family:seed:number: run that case alone")
    return parser.parse_args()


def again(text: str, folder: Path) -> int:
    """Run one case, and tell what is wrong with it."""
    finding, worker = read(text), Worker(folder)
    limit = worker.ask(WARM_UP, "limit", finding.family).value or WARM_UP
    request = ("try", finding.family, finding.seed, finding.number)
    if finding.case is not None:
        request = ("check", finding.family, finding.case)
    reply = worker.ask(max(WARM_UP, limit), *request)
    worker.end()
    print(reply.sentence or "nothing is wrong with it")
    if reply.detail:
        print(reply.detail)
    return int(reply.sentence is not None)


def hunt(names: list[str], seed: int, options: argparse.Namespace) -> int:
    """Let workers hunt, show how far they are, and print the table; 1 if something was found."""
    bar = tqdm(
        total=options.seconds, bar_format="{l_bar}{bar}| {n:.0f}/{total:.0f} s {postfix}", disable=None
    )
    board = Board(options.findings, tell, {name: Tally() for name in names})
    n = max(1, options.workers)
    is_shared = len(names) >= n  # a family has one worker, which loads it once; few families have all
    shares = [names[i::n] if is_shared else names for i in range(n)]
    hunters = [Hunter(board, share, options.folder, seed, options.patience) for share in shares]
    steps = [(0, 1) if is_shared else (i, n) for i in range(n)]
    with ThreadPoolExecutor(n) as pool:
        runs = [pool.submit(hunters[i].run, options.seconds, *steps[i]) for i in range(n)]
        is_interrupted = _watch(runs, hunters, board, bar)
    print(table(board.tallies))
    for one in runs:
        one.result()  # what is wrong with the runner itself is not passed over
    found = sum(tally.findings for tally in board.tallies.values())
    return 1 if found else INTERRUPTED if is_interrupted else 0


def tell(text: str) -> None:
    """Print a finding at once, above the progress bar."""
    tqdm.write(text)
    sys.stdout.flush()


def _watch(runs: list[Future[None]], hunters: list[Hunter], board: Board, bar: tqdm) -> bool:
    """Show the progress until all are done; a Ctrl-C ends them."""
    is_interrupted = False
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's background process ignores
    while not all(run.done() for run in runs):
        try:
            began = [hunter.began for hunter in hunters]
            passed = min(monotonic() - start if start is not None else 0.0 for start in began)
            bar.n = min(passed, bar.total)
            cases, found = (
                sum(getattr(t, what) for t in board.tallies.values()) for what in ("cases", "findings")
            )
            bar.set_postfix_str(f"{cases} cases, {found} findings{'' if all(began) else ', compiling'}")
            sleep(0.2)
        except KeyboardInterrupt:
            is_interrupted = True
            board.stop.set()
    bar.close()
    return is_interrupted


def table(tallies: dict[str, Tally]) -> str:
    """Families, cases, cases a second, findings."""
    width = max(map(len, tallies), default=0)
    lines = [f"{'family':{width}}  {'cases':>8}  {'a second':>8}  {'findings':>8}"]
    for name, tally in tallies.items():
        pace = tally.cases / tally.seconds if tally.seconds else 0.0
        lines.append(f"{name:{width}}  {tally.cases:8}  {pace:8.1f}  {tally.findings:8}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
