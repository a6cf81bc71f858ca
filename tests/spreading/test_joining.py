"""Answers about parts are one answer again."""

from itertools import pairwise

import numpy as np

import firstcontact as fc
from firstcontact.spreading.joining import joined, restored, stripped
from queries.every_answer import BOX, CUBE, OBSTACLES
from queries.every_batch import PATHS, POINTS, A, B, assert_same_bytes


def parts(ask, ends):
    return [stripped(ask(slice(first, last))) for first, last in pairwise(ends)]


ENDS = [0, 0, 7, 8, 45, 45]


def test_rows_lists_and_counters():
    def ask(span):
        return fc.distance(CUBE.at(A[span]), BOX)

    assert_same_bytes(restored(joined(parts(ask, ENDS))).with_things({}), ask(slice(45)).with_things({}))


def test_offsets_and_numbers_count_on():
    def ask(span):
        return fc.ray_cast(CUBE, POINTS[span], [1, 0, 0], hits="all")

    assert_same_bytes(restored(joined(parts(ask, ENDS))), ask(slice(45)))
    spans = parts(lambda span: fc.contact_intervals(CUBE.moving(A[span], B[span]), BOX), ENDS)
    assert restored(joined(spans)) == fc.contact_intervals(CUBE.moving(A, B), BOX)


def test_along_another_axis():
    def ask(span):
        return fc.signed_distance(CUBE.at(A[:2]), POINTS[span])

    assert_same_bytes(restored(joined(parts(ask, ENDS), axis=1)), ask(slice(45)))


def test_what_is_found_when_it_is_asked_for_stays_behind():
    known = stripped(fc.first_contacts(PATHS, OBSTACLES)).known
    assert {"a", "b", "status", "time", "stats", "_finder", "_pairs"} <= known.keys()
    assert not {"points", "time_upper", "_posed", "_about"} & known.keys()


def test_arrays_by_themselves():
    one = stripped(np.array([True, False]))
    assert restored(joined([one, stripped(np.array([True]))])).tolist() == [True, False, True]
