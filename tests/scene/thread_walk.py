"""Threads that change one scene while others ask it: run by itself, since a failure may end the process."""

import sys
import threading
import time

import numpy as np

import firstcontact as fc
from scene.scenes import SHAPES, random_motion

N_LASTING, SECONDS = 30, 1.5


def same(contacts, fresh):
    """Is an answer that of a fresh scene of the very bodies that it is about?"""
    expected = fresh.contacts()
    parts = ("time", "points", "normals", "status")
    return contacts.names == expected.names and all(
        getattr(contacts, part).tobytes() == getattr(expected, part).tobytes() for part in parts
    )


class Walk:
    """A scene, the threads that use it, and what went wrong."""

    def __init__(self, broad_phase):
        rng = np.random.default_rng(0)
        self.scene = fc.Scene({f"b{i}": self.thing(rng) for i in range(N_LASTING)}, broad_phase=broad_phase)
        self.end = time.monotonic() + SECONDS
        self.wrong, self.n_edits, self.n_checked = [], 0, 0

    def is_over(self):
        """Is the time over, and an answer checked? A slow machine has some more time for the first one."""
        late = time.monotonic() - self.end
        return late > 0.0 and (self.n_checked > 0 or late > 60.0)

    def thing(self, rng):
        return random_motion(SHAPES[rng.integers(len(SHAPES))], rng)

    def edit(self, k):
        rng, mine = np.random.default_rng(k), []
        while not self.is_over():
            self.n_edits += 1
            kind = rng.integers(5)
            if kind == 0:
                mine.append(f"x{k} {self.n_edits}")
                self.scene.add(mine[-1], self.thing(rng))
            elif kind == 1 and mine:
                self.scene.remove(*mine[:4])
                del mine[:4]
            elif kind == 2:
                self.scene.update({f"b{i}": self.thing(rng) for i in rng.choice(N_LASTING, 3, replace=False)})
            elif kind == 3:
                some = [f"b{i}" for i in rng.choice(N_LASTING, 9, replace=False)]
                self.scene.move(
                    some, (np.eye(3), rng.uniform(-3, 3, (9, 3))), velocity=rng.normal(size=(9, 3))
                )
            else:
                a, b = rng.choice(N_LASTING, 2, replace=False)
                self.scene.consider(f"b{a}", f"b{b}")

    def ask(self, k):
        rng = np.random.default_rng(100 + k)
        while not self.is_over():
            contacts = self.scene.contacts()
            if (np.diff(contacts.time) < 0.0).any():
                self.wrong.append("not sorted")
            first, names = self.scene.first_contact(), set(self.scene.names)
            if first and set(first.things) != {first.a, first.b}:
                self.wrong.append(f"{first} is about {list(first.things)}")
            if not {f"b{i}" for i in range(N_LASTING)} <= names or len(self.scene.things) < N_LASTING:
                self.wrong.append(f"{N_LASTING} bodies stay, and {sorted(names)} are there")
            if k == 0 and rng.random() < 0.5:
                if not same(contacts, fc.Scene(contacts.things)):
                    self.wrong.append("not the contacts of the bodies then")
                self.n_checked += 1

    def guarded(self, task, k):
        try:
            task(k)
        except Exception as error:  # whatever a thread meets is a failure
            self.wrong.append(repr(error))


def main(broad_phase):
    walk = Walk(broad_phase)
    walk.scene.contacts(), walk.scene.first_contact()
    walk.end = time.monotonic() + SECONDS
    tasks = [(walk.edit, 0), (walk.edit, 1), (walk.ask, 0), (walk.ask, 1), (walk.ask, 2)]
    threads = [threading.Thread(target=walk.guarded, args=task) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    last = fc.Scene(walk.scene.things)
    if walk.scene.pairs() != last.pairs() or not same(walk.scene.contacts(), last):
        walk.wrong.append("in the end not as a fresh scene")
    if walk.wrong:
        sys.exit("\n".join(sorted(set(walk.wrong))[:5]))
    sys.stdout.write(f"{walk.n_edits} edits, {walk.n_checked} answers checked")


if __name__ == "__main__":
    main(sys.argv[1])
