"""All contacts of rigid bodies in motion with each other, and with what deforms.

As for the first one, curved paths are taken as straight, with what they deviate added to the separation. Over
a long stretch that lists pairs that may touch, and perhaps more. These alone are followed further: over each
quarter of the stretch, and so on, until the deviation is a small part of the tolerance.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import MOST_LISTED
from firstcontact.advancement.goal import Options
from firstcontact.deformable.cloud_features import named_elements
from firstcontact.deformable.elementary_candidates import FeaturesFound
from firstcontact.deformable.rows import Rows, contact_rows, in_order
from firstcontact.deformable.settle import take
from firstcontact.deformable.touching.pierced import pierced_at_start
from firstcontact.deformable.touching.pierced_rows import with_pierced
from firstcontact.deformable.with_rigid.course import (
    COARSE,
    DOWN,
    STRETCH_FLOOR,
    UP,
    Course,
    nothing_found,
    straight_spans,
)
from firstcontact.deformable.with_rigid.rigid_segment import RigidSegments
from firstcontact.errors import too_many
from firstcontact.narrowphase.elementary.elementary_query import CONTACT, CONTACT_AT_START

# Deviation, in units of the tolerance, with which a pair is followed no further: it counts twice, for the
# straight paths and for the curved ones.
FINE = 0.5

# Parts that a stretch is divided into, and the shortest one that is divided.
PARTS = 4
SHORTEST_SPAN = 2.0**-40


class Stretch(NamedTuple):
    """A part of a whole segment, from a time to another, and the segment for it, which drifts less."""

    whole: RigidSegments
    segment: RigidSegments
    start: float
    end: float

    @classmethod
    def of(cls, whole: RigidSegments, start: float, end: float) -> "Stretch":
        """Take the stretch between two times."""
        return cls(whole, whole.over(start, end), start, end)

    @property
    def deviation(self) -> float:
        """How far straight paths may be from the true ones."""
        return self.segment.deviation(self.end - self.start)

    def parts(self) -> "list[Stretch]":
        """Divide it into some of the same length."""
        times = [*np.linspace(self.start, self.end, PARTS + 1)[:-1].tolist(), self.end]
        return [Stretch.of(self.whole, start, end) for start, end in pairwise(times)]


class Lister:
    """Lists the contacts of rigid bodies and what deforms: from stretch to stretch, in the order of time.

    Each pair of features that comes within the separation is there once, at a time that is not later than
    when it does so first; none is that stays beyond the separation and the tolerance. More than `most` are an
    error.
    """

    def __init__(self, course: Course, options: Options, most: int) -> None:
        self.course = course
        self._options, self._most = options, most
        self._found = [contact_rows(course.problem, nothing_found())]
        self._known = np.empty(0, np.int64)

    def search(self) -> None:
        """Find all that touches."""
        for stretch in self._stretches():
            self._search(stretch)

    def _stretches(self) -> Iterator[Stretch]:
        """Give the longest stretches in which what deforms goes straight, and the body by one segment."""
        for segment in self.course.segments():
            for start, end in straight_spans(self.course, segment):
                yield Stretch.of(segment, start, end)

    def _search(self, stretch: Stretch) -> None:
        """Find what touches in a stretch; where paths deviate by more than edges are long, in parts of it."""
        own = stretch.segment, stretch.start, stretch.end, self._options.min_separation
        if not self.course.pose_wide(*own):
            return
        if stretch.deviation > COARSE * self.course.edge and not self._is_fine(stretch):
            for part in stretch.parts():
                self._search(part)
            return
        found = self.course.all(MOST_LISTED)
        if self.course.left_out < np.inf:
            raise too_many("contacts", "max_contacts", self._most)
        self._follow(stretch, found)

    def add_pierced(self) -> None:
        """Add edges that pass through faces at the start, with their speeds in a first stretch."""
        first = next(self._stretches())
        while not self._is_fine(first):
            first = first.parts()[0]
        self._place(first, 0.0)
        problem = self.course.problem
        pierced = pierced_at_start(problem, most=self._most)
        rows = with_pierced(contact_rows(problem, nothing_found()), problem, pierced)
        self._keep(_in_whole(rows, first.end - first.start))

    def rows(self) -> Rows:
        """All that was found, in order."""
        columns = zip(*self._found, strict=True)
        rows = Rows._make(np.concatenate(parts) for parts in columns)
        return named_elements(in_order(rows), self.course.bare)

    def _follow(self, stretch: Stretch, found: FeaturesFound) -> None:
        """Follow pairs that may touch in a stretch through its parts, up to their first contacts."""
        found = take(found, ~np.isin(_keys(found), self._known))
        if len(found.time) == 0:
            return
        if self._is_fine(stretch):
            self._list(stretch, found)
            return
        for part in stretch.parts():
            self.course.place_wide(part.segment, part.start, part.end, self._options.min_separation)
            self._follow(part, self.course.of_these(found))
            found = take(found, ~np.isin(_keys(found), self._known))

    def _list(self, stretch: Stretch, found: FeaturesFound) -> None:
        """Keep pairs that touch in a stretch, as good as straight; by when that is proven is in it, too."""
        found = found._replace(time_upper=self._proven(stretch, found))
        self._place(stretch, self._reach(stretch))
        rows = contact_rows(self.course.problem, found, STRETCH_FLOOR * stretch.segment.rounding)
        start, span = stretch.start, stretch.end - stretch.start
        times = np.maximum((start + rows.time * span) * DOWN, start)
        proven = np.minimum((start + rows.time_upper * span) * UP, 1.0)
        status = np.where(times == 0.0, np.int8(CONTACT_AT_START), np.int8(CONTACT))
        self._known = np.union1d(self._known, _keys(found))
        self._keep(_in_whole(rows, span)._replace(time=times, time_upper=proven, status=status))

    def _proven(self, stretch: Stretch, found: FeaturesFound) -> NDArray[np.float64]:
        """Parts of a stretch, (n,), by which pairs touch on the true paths, too; infinite if not proven."""
        uppers, inner = np.full(len(found.time), np.inf), self._options.min_separation - stretch.deviation
        inner *= DOWN if inner > 0.0 else UP
        if inner + self.course.thickness > 0.0:
            self._place(stretch, inner)
            touching = self.course.of_these(found)
            touching = take(touching, np.isin(touching.status, (CONTACT, CONTACT_AT_START)))
            keys = _keys(found)
            order = np.argsort(keys)
            uppers[order[np.searchsorted(keys, _keys(touching), sorter=order)]] = touching.time_upper
        return uppers

    def _place(self, stretch: Stretch, separation: float) -> None:
        self.course.place(stretch.segment, stretch.start, stretch.end, separation)

    def _keep(self, rows: Rows) -> None:
        self._found.append(rows)
        if sum(len(part.time) for part in self._found) > self._most:
            raise too_many("contacts", "max_contacts", self._most)

    def _reach(self, stretch: Stretch) -> float:
        """Separation with which straight paths miss no contact."""
        return (self._options.min_separation + stretch.deviation) * UP

    def _is_fine(self, stretch: Stretch) -> bool:
        tolerance = max(self._options.tolerance, STRETCH_FLOOR * stretch.segment.rounding)
        return stretch.deviation <= FINE * tolerance or stretch.end - stretch.start < SHORTEST_SPAN


def _in_whole(rows: Rows, span: float) -> Rows:
    """Speeds of a stretch, in lengths a step."""
    return rows._replace(closing_speed=rows.closing_speed / span, velocities=rows.velocities / span)


def _keys(found: FeaturesFound) -> NDArray[np.int64]:
    """One number for each pair of features."""
    keys: NDArray[np.int64] = (
        found.is_edge_edge.astype(np.int64) << 62 | found.ids[:, 0].astype(np.int64) << 31 | found.ids[:, 1]
    )
    return keys
