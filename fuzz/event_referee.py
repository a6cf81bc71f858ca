"""A queue of events that is kept, beside one made anew at every event: as many events as asked for.

Cases are those of the fuzz family `kept_queues`, one after the other: balls, boxes and capsules in a room or
in none. At each event both queues must tell the same time, to the tolerance; of balls that fall alike, closed
forms tell it, too. A case comes from the seed and its number alone, so that parts can be run one by one.

    python fuzz/event_referee.py --events 1000000
    python fuzz/event_referee.py --events 250000 --seed 3
"""

import argparse
from time import perf_counter

import numpy as np

from families.kept_queues import make, walked


def main() -> int:
    """Check so many events; print how many of each kind of bodies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=np.inf, help="stop earlier, after so long")
    options = parser.parse_args()
    began, done, n_faults, number = perf_counter(), {"balls": 0, "all": 0}, 0, 0
    while sum(done.values()) < options.events and perf_counter() - began < options.seconds:
        case = make(np.random.default_rng([options.seed, number]))
        fault, n_events = walked(case)
        done[case["shapes"]] += n_events
        number += 1
        if fault:
            n_faults += 1
            print(f"case {number - 1}, event {n_events}: {fault}: {case}", flush=True)
        if number % 100 == 0:
            print(f"{sum(done.values()):10,} events in {perf_counter() - began:7.1f} s", flush=True)
    for name, text in (("balls", "of balls"), ("all", "of balls, boxes and capsules")):
        print(f"{done[name]:10,} {text}")
    print(f"{sum(done.values()):,} events, {n_faults} faults, {perf_counter() - began:.0f} s")
    return 1 if n_faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
