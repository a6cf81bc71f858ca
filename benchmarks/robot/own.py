"""The library in the robot benchmark: certified checks of segments, batch by batch and one by one."""

from time import perf_counter
from typing import Any, NamedTuple

import numba
import numpy as np

import firstcontact as fc
from robot.cases import Numbers, RobotFiles, World, scene
from robot.peers import Checked

METHODS = ("subdivision", "advancement")


class Witness(NamedTuple):
    """A contact: between what, from when, and when it is proven, if it is."""

    a: str
    b: str
    time: float
    time_upper: float


class Own:
    """A robot in one world after the other."""

    def __init__(self, files: RobotFiles) -> None:
        self.robot = fc.Robot.from_urdf(files.urdf, srdf=files.srdf, package_dirs=(files.package_dir,))
        self.limits: Numbers = np.asarray(self.robot.limits)
        self._is_warm = False

    def place(self, world: World) -> None:
        """All that follows is about this world."""
        self.scene = scene(world)

    def check(self, method: str, segments: Numbers, n_threads: int) -> Checked:
        """One call of `is_free`."""
        if len(segments) == 0:
            return Checked(np.empty(0, np.bool_), 0.0)
        with _threads(n_threads):
            began = perf_counter()
            moving = self.robot.moving(segments[:, 0], segments[:, 1])
            is_free = fc.is_free(moving, self.scene, self_contact=True, method=method)
            return Checked(~np.asarray(is_free), perf_counter() - began)

    def first_contacts(self, segments: Numbers, n_threads: int) -> Checked:
        """One call of `first_contacts`."""
        if len(segments) == 0:
            return Checked(np.empty(0, np.bool_), 0.0)
        with _threads(n_threads):
            began = perf_counter()
            moving = self.robot.moving(segments[:, 0], segments[:, 1])
            found = fc.first_contacts(moving, self.scene, self_contact=True)
            seconds = perf_counter() - began
        return Checked(np.asarray(found.hit), seconds)

    def singles(self, method: str, segments: Numbers) -> Numbers:
        """Seconds of each segment, one call and one thread each."""
        seconds = []
        with _threads(1):
            for start, end in segments:
                began = perf_counter()
                fc.is_free(self.robot.moving(start, end), self.scene, self_contact=True, method=method)
                seconds.append(perf_counter() - began)
        return np.array(seconds)

    def warm_up(self, segments: Numbers) -> None:
        """See that all is compiled, once for a robot."""
        if not self._is_warm:
            for method in METHODS:
                self.check(method, segments, 1)
                self.singles(method, segments[:2])
            self.first_contacts(segments, 1)
            self._is_warm = True

    def free_configurations(self, n: int, seed: int) -> Numbers:
        """Uniform within the limits, those that touch left out."""
        rng, found = np.random.default_rng(seed), np.empty((0, len(self.limits)))
        while len(found) < n:
            drawn = rng.uniform(*self.limits.T, (n, len(self.limits)))
            is_touching = self.check(METHODS[0], np.stack([drawn, drawn], axis=1), 1).is_touching
            found = np.concatenate([found, drawn[~is_touching]])
        return found[:n]

    def witness(self, segment: Numbers) -> Witness | None:
        """The first contact."""
        moving = self.robot.moving(segment[0], segment[1])
        found = fc.first_contact(moving, self.scene, self_contact=True)
        return Witness(found.a, found.b, found.time, found.time_upper) if found else None

    def certificates(self, segments: Numbers) -> tuple[tuple[int, ...], int, float]:
        """Intervals in each free segment's proof, how many proofs verify, and the seconds that takes."""
        sizes, verified, seconds = [], 0, 0.0
        for start, end in segments:
            moving = self.robot.moving(start, end)
            proof = fc.first_contact(moving, self.scene, self_contact=True).certificate
            began = perf_counter()
            verified += proof.verify()
            seconds += perf_counter() - began
            sizes.append(len(proof))
        return tuple(sizes), verified, seconds


class _threads:  # noqa: N801 (a function to those who use it)
    """Use so many threads."""

    def __init__(self, n: int) -> None:
        self._n = n

    def __enter__(self) -> None:
        self._before = numba.get_num_threads()
        numba.set_num_threads(self._n)

    def __exit__(self, *_: Any) -> None:
        numba.set_num_threads(self._before)
