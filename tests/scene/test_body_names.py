"""Bodies by their names: which one is meant, and what is refused."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.scene.bodies import Bodies
from firstcontact.scene.body_names import as_bodies, id_named, names_of, row_named


def test_names_lead_to_rows_and_back():
    bodies = Bodies()
    bodies.add(as_bodies({"a": fc.Sphere(1)}, {"b": fc.Box([1, 1, 1])}))
    assert [row_named(bodies, name) for name in "ab"] == [0, 1]
    assert id_named(bodies, "b") == 1
    assert names_of(bodies, np.array([[0, 1], [1, 1]], np.int32)) == [("a", "b"), ("b", "b")]
    with pytest.raises(KeyError, match="no body is named 'c'"):
        row_named(bodies, "c")


@pytest.mark.parametrize(
    ("given", "named", "error", "sentence"),
    [
        ([fc.Sphere(1)], {}, TypeError, "bodies must be things by their names"),
        ({"a": fc.Sphere(1)}, {"a": fc.Sphere(1)}, ValueError, "a name must be given once"),
        ({"a": 5}, {}, TypeError, "'a': a thing must be"),
        ({"a": fc.Sphere(1).at(np.tile(np.eye(4), (2, 1, 1)))}, {}, ValueError, "a body of a scene has one"),
    ],
)
def test_what_is_no_body_is_told(given, named, error, sentence):
    with pytest.raises(error, match=f"^{sentence}"):
        as_bodies(given, named)
