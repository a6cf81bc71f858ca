"""Vertex-face and edge-edge queries of all families against the exact oracle."""

import pytest

from properties.elementary import KINDS
from properties.families import FAMILIES
from properties.long_run import Chunk, check_chunk, check_in_parallel
from samples import sample


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("family", FAMILIES)
def test_agrees_with_the_oracle(family, kind):
    found = check_chunk(Chunk(family, kind, n=sample(50, of=400), seed=0))
    assert not found, "\n".join(found)


@pytest.mark.slow
def test_a_million_queries_agree_with_the_oracle():
    found = check_in_parallel(n_per_family_and_kind=1_000_000 // (len(FAMILIES) * len(KINDS)))
    assert not found, "\n".join(found[:50])
