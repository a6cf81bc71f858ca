"""Strands: segments, radii, and what is refused."""

import pickle

import numpy as np
import pytest

import firstcontact as fc


def test_segments_join_the_points_of_each_strand():
    strands = fc.Strands(np.arange(21).reshape(7, 3), [2, 0, 1, 4])
    assert strands.segments.tolist() == [[0, 1], [2, 2], [3, 4], [4, 5], [5, 6]]
    assert strands.strand_ids.tolist() == [0, 2, 3, 3, 3]
    assert strands.n_strands == 4
    again = pickle.loads(pickle.dumps(strands))
    assert type(again) is fc.Strands
    assert again.segments.tolist() == strands.segments.tolist()


def test_a_segment_has_the_larger_radius_of_its_ends():
    rope = fc.Strands([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [3], [0.1, 0.3, 0.2])
    assert rope.radii.tolist() == [0.3, 0.3]
    assert fc.signed_distance(rope, [0.0, 1.0, 0.0]).distance == pytest.approx(0.7)


def test_segments_of_no_length_and_a_point_alone_are_balls():
    for strands in (fc.Strands([[1, 0, 0]], [1], 0.5), fc.Strands([[1, 0, 0], [1, 0, 0]], [2], 0.5)):
        assert fc.signed_distance(strands, [3.0, 0.0, 0.0]).distance == pytest.approx(1.5)
        assert fc.ray_cast(strands, [-1, 0, 0], [1, 0, 0]).time == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("counts", "error", "sentence"),
    [
        ([2], ValueError, "counts must add up to the 3 points given; received 2"),
        ([4, -1], ValueError, "counts must be 0 or more; row 1 has -1"),
        ([1.5, 1.5], TypeError, "counts must be integers"),
        (3, ValueError, r"counts must have shape \(k,\)"),
        ([2**62, 2**62, 2**62, 2**62, 3], ValueError, "counts must add up"),
    ],
)
def test_bad_counts_are_refused_in_a_sentence(counts, error, sentence):
    with pytest.raises(error, match=f"^{sentence}"):
        fc.Strands(np.zeros((3, 3)), counts)
