"""Certificates of robots with allowances and paddings, and what is done to them."""

from dataclasses import replace
from pickle import dumps, loads

import numpy as np
import pytest

import firstcontact as fc

SLIDE = fc.Joint("slide", "prismatic", "base", "cart", axis=[1, 0, 0])
ROBOT = fc.Robot({"base": fc.Box([1, 1, 1]), "cart": fc.Sphere(0.1)}, [SLIDE])
WORLD = {
    "table": fc.Box([1, 1, 1]).at((np.eye(3), [0, 0, -0.9])),
    "ball": fc.Sphere(0.1).at((np.eye(3), [4, 0, 0])),
}
RULED = ROBOT.allow("base", "table").pad("cart", by=0.1).pad("cart", "ball", by=0.3)


def proof_of(robot):
    return fc.first_contact(robot.moving([1.0], [3.0]), WORLD).certificate


def about(proof, robot):
    """The same certificate, with another robot in the place of its own."""
    return replace(proof, things=proof.things._replace(robot=robot.moving([1.0], [3.0])))


def test_a_proof_says_what_is_allowed_and_padded():
    proof = proof_of(RULED)
    assert proof.fault() is None
    assert proof.allowed == {("base", "table")}
    padded = dict(zip(proof.names, proof.paddings.tolist(), strict=True))
    assert padded == {("cart", "table"): 0.1, ("cart", "ball"): 0.3, ("base", "ball"): 0.0}
    plain = proof.to_dict()
    assert plain["allowed"] == [["base", "table"]]
    assert {"a": "cart", "b": "ball", "by": 0.3} in plain["paddings"]
    assert loads(dumps(proof)).fault() is None


def test_an_allowance_that_the_robot_lacks_is_refused():
    proof = proof_of(RULED)
    assert "allows other pairs" in about(proof, ROBOT.pad("cart", by=0.1).pad("cart", "ball", by=0.3)).fault()
    assert "allows other pairs" in replace(proof, allowed=proof.allowed | {("cart", "ball")}).fault()
    forged = about(
        replace(proof, allowed=frozenset()),
        RULED._with({}, [], set(), RULED.rules._replace(allowed=frozenset())),
    )
    assert "'base' and 'table' are not proven" in forged.fault()


def test_a_padding_that_is_not_the_robots_is_refused():
    proof = proof_of(RULED)
    for k in np.flatnonzero(proof.paddings > 0.0).tolist():
        less = proof.paddings.copy()
        less[k] -= 0.05
        assert "and the robot by" in replace(proof, paddings=less).fault()
    assert replace(proof, paddings=proof.paddings[:-1]).fault() == "it has other paddings than pairs"


@pytest.mark.parametrize("by", [0.9, 2.0])
def test_a_wider_padding_needs_a_wider_gap(by):
    wider = RULED.pad("cart", "ball", by=by)
    proof = proof_of(RULED)
    paddings = np.where(proof.paddings == 0.3, by, proof.paddings)
    assert "does not cover their travel" in about(replace(proof, paddings=paddings), wider).fault()


def test_a_pair_left_out_is_missed():
    proof = proof_of(RULED)
    k = proof.intervals
    ball = [i for i, names in enumerate(proof.names) if names == ("cart", "ball")]
    rest = k.chosen(np.flatnonzero(~np.isin(k.pairs, ball)))
    assert "'cart' and 'ball' are not proven" in replace(proof, intervals=rest).fault()
