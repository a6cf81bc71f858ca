"""Threads that change one scene while others ask it, in a process of its own: a crash is a finding.

Each thread has a list of edits or queries. The referee is a fresh scene: of the bodies that an answer says it
is about, and, once all threads are done, of the bodies as each thread left its own.
"""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

SECONDS_A_CASE = 20.0

EDITS = ("add", "remove", "update", "move", "ignore", "consider")
QUERIES = ("contacts", "first_contact", "safe_step", "pairs", "things", "copy")
SHAPES = (["Sphere", [0.5]], ["Box", [[1.0, 0.5, 0.3]]], ["Capsule", [0.2, 1.0]], ["mesh", []])


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Make a few threads that edit bodies of their own, and a few that ask."""
    n_edit, n_ask = int(rng.integers(1, 4)), int(rng.integers(1, 4))
    n_bodies, size = int(rng.integers(2, 12)), float(rng.choice([0.3, 1.0, 3.0]))
    editors = [[_edit(rng, n_bodies, size) for _ in range(int(rng.integers(5, 40)))] for _ in range(n_edit)]
    askers = [[str(rng.choice(QUERIES)) for _ in range(int(rng.integers(3, 15)))] for _ in range(n_ask)]
    return {
        "broad_phase": str(rng.choice(["sweep", "tree"])),
        "starts": [[_body(rng, size) for _ in range(n_bodies)] for _ in range(n_edit)],
        "editors": editors,
        "askers": askers,
    }


def check(case: dict[str, Any]) -> str | None:
    """Run the threads in another process; a sentence that says what was wrong."""
    command = [sys.executable, __file__]
    try:
        ran = subprocess.run(
            command, input=json.dumps(case), capture_output=True, text=True, timeout=300, check=False
        )
    except subprocess.TimeoutExpired:
        return "the threads did not end in 300 seconds"
    if ran.returncode != 0:
        return f"the process ended with {ran.returncode}: {ran.stderr.strip()[-500:]}"
    return ran.stdout.strip() or None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Leave out threads, and halves of what they do."""
    for kind in ("askers", "editors"):
        for k, items in enumerate(case[kind]):
            if len(case[kind]) > 1 and kind == "askers":
                yield case | {kind: case[kind][:k] + case[kind][k + 1 :]}
            for part in (items[: len(items) // 2], items[len(items) // 2 :]):
                if len(part) < len(items):
                    yield case | {kind: [*case[kind][:k], part, *case[kind][k + 1 :]]}


def _body(rng: np.random.Generator, size: float) -> list[Any]:
    """A shape, where it starts and how it goes."""
    shape = int(rng.integers(len(SHAPES)))
    return [
        shape,
        (size * rng.uniform(-1, 1, 3)).tolist(),
        rng.normal(size=3).tolist(),
        bool(rng.integers(2)),
    ]


def _edit(rng: np.random.Generator, n: int, size: float) -> list[Any]:
    """An edit, two of the thread's bodies, and what to make of them."""
    bodies = rng.integers(2 * n, size=2).tolist()
    return [str(rng.choice(EDITS)), *bodies, _body(rng, size)]


class _Run:
    """A scene in use by several threads."""

    def __init__(self, case: dict[str, Any]) -> None:
        import firstcontact as fc

        self.fc = fc
        cube = fc.Box([0.6, 0.6, 0.6]).mesh
        self.shapes = [cube if name == "mesh" else getattr(fc, name)(*sizes) for name, sizes in SHAPES]
        self.case, self.wrong = case, []
        self.own = [
            {f"{k} {i}": self.thing(body) for i, body in enumerate(bodies)}
            for k, bodies in enumerate(case["starts"])
        ]
        self.ignored: list[dict[tuple[str, str], bool]] = [{} for _ in self.own]
        everything = {name: thing for own in self.own for name, thing in own.items()}
        self.scene = fc.Scene(everything, broad_phase=case["broad_phase"])

    def thing(self, body: list[Any]) -> Any:
        shape, place, velocity, is_moving = body
        start = np.eye(3), place
        return (
            self.shapes[shape].moving(start, velocity=velocity) if is_moving else self.shapes[shape].at(start)
        )

    def edit(self, k: int) -> None:
        """Do a thread's edits, to bodies that are its own, and note what they should lead to."""
        own, ignored = self.own[k], self.ignored[k]
        for what, i, j, body in self.case["editors"][k]:
            a, b = f"{k} {i}", f"{k} {j}"
            if what == "add" and a not in own:
                own[a] = self.thing(body)
                self.scene.add(a, own[a])
            elif what == "remove" and a in own:
                del own[a]
                self.scene.remove(a)
                for pair in [pair for pair in ignored if a in pair]:
                    del ignored[pair]
            elif what == "update" and a in own:
                own[a] = self.thing(body)
                self.scene.update({a: own[a]})
            elif what == "move" and a in own:
                start = np.eye(3), body[1]
                own[a] = own[a].shape.moving(start, velocity=body[2])
                self.scene.move([a], start, velocity=body[2])
            elif what in ("ignore", "consider") and a != b and a in own and b in own:
                first, second = sorted((a, b), key=list(own).index)
                ignored[first, second] = what == "ignore"
                getattr(self.scene, what)(a, b)

    def ask(self, k: int) -> None:
        """Ask a thread's queries; hold the answers against those of fresh scenes."""
        for what in self.case["askers"][k]:
            if what == "copy":
                import copy

                copy.deepcopy(self.scene).contacts()
                continue
            answer = getattr(self.scene, what)
            answer = answer if what == "things" else answer()
            if what == "contacts":
                self.compare(answer)
            elif what == "first_contact" and answer:
                a, b = answer.things.values()
                alone = self.fc.Scene(a=a, b=b).first_contact()
                if alone.time != answer.time:
                    self.wrong.append(f"first_contact is at {answer.time}, and of the two at {alone.time}")

    def compare(self, contacts: Any) -> None:
        """Every contact is that of its pair in a fresh scene of the same bodies; others may be ignored."""
        fresh = self.fc.Scene(contacts.things).contacts()
        expected = dict(zip(fresh.names, fresh.time.tolist(), strict=True))
        for pair, time in zip(contacts.names, contacts.time.tolist(), strict=True):
            if expected.get(pair) != time:
                self.wrong.append(f"contacts has {pair} at {time}, a fresh scene {expected.get(pair)}")

    def compare_end(self) -> None:
        """In the end the scene is what the threads have made of it."""
        own = {name: thing for part in self.own for name, thing in part.items()}
        if set(self.scene.names) != set(own):
            self.wrong.append(f"in the end {self.scene.names} are there, and should be {sorted(own)}")
            return
        fresh = self.fc.Scene({name: own[name] for name in self.scene.names})
        for part in self.ignored:
            for (a, b), is_ignored in part.items():
                if is_ignored:
                    fresh.ignore(a, b)
        if fresh.pairs() != self.scene.pairs():
            self.wrong.append("in the end the pairs are not those of a fresh scene")
        if fresh.contacts().time.tobytes() != self.scene.contacts().time.tobytes():
            self.wrong.append("in the end the contacts are not those of a fresh scene")

    def guarded(self, task: Any, k: int) -> None:
        try:
            task(k)
        except Exception as error:
            self.wrong.append(f"{task.__name__}: {error!r}")

    def run(self) -> str:
        tasks = [(self.edit, k) for k in range(len(self.case["editors"]))]
        tasks += [(self.ask, k) for k in range(len(self.case["askers"]))]
        threads = [threading.Thread(target=self.guarded, args=task) for task in tasks]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.compare_end()
        return "; ".join(sorted(set(self.wrong))[:3])


if __name__ == "__main__":
    sys.setswitchinterval(1e-5)  # threads take turns often
    sys.stdout.write(_Run(json.load(sys.stdin)).run())
