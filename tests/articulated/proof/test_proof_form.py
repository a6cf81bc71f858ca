"""What is no proof by its form gets a sentence, and no error of Python's; nor does it hold."""

from dataclasses import replace

import numpy as np
import pytest

import firstcontact as fc

ARM = fc.Capsule(0.05, 1).at((np.eye(3), [0, 0, 0.5]))
ROBOT = fc.Robot(
    {"base": fc.Box([0.1, 0.1, 0.1]), "arm": ARM},
    [fc.Joint("turn", "revolute", "base", "arm", axis=[0, 1, 0])],
)
INSIDE = {"wall": fc.Box([1, 1, 1]).at((np.eye(3), [1.2, 0, 0]))}
PROOF = fc.first_contact(ROBOT.moving([0], [0.5]), INSIDE).certificate
ODD = (
    None,
    "x",
    [],
    {},
    (),
    frozenset(),
    np.nan,
    np.inf,
    -1,
    99,
    np.zeros(0),
    np.zeros((2, 5)),
    np.array(["a"]),
)


def test_the_proof_itself_holds():
    assert PROOF.fault() is None


@pytest.mark.parametrize(
    "name", ["things", "min_separation", "tolerance", "bodies", "pairs", "intervals", "end", "paddings"]
)
def test_parts_of_another_kind(name):
    for odd in ODD:
        fault = replace(PROOF, **{name: odd}).fault()
        assert (isinstance(fault, str) and "\n" not in fault) or (name == "tolerance" and odd == 99)


@pytest.mark.parametrize("name", PROOF.intervals._fields)
def test_columns_of_another_kind(name):
    column = getattr(PROOF.intervals, name)
    for odd in (*ODD, column[:-1], column.astype(object), column[:, np.newaxis], column.tolist()):
        assert isinstance(replace(PROOF, intervals=PROOF.intervals._replace(**{name: odd})).fault(), str)


def test_nothing_is_kept_by_less_than_nothing():
    """A path through an obstacle keeps every negative distance."""
    through = fc.first_contact(ROBOT.moving([0], [2]), INSIDE).certificate
    assert through.end < 1.0
    for wrong in ({"min_separation": -9.0}, {"end": 1.0}, {"end": -1.0}, {"solid": False}, {"solid": 1}):
        assert not replace(through, **wrong).verify()
    assert through.verify()
