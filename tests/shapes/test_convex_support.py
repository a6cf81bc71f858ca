"""Shapes by support functions: what holds them, how near it is, and answers that cannot be."""

import pickle

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.shapes import convex_support

POINTS = np.random.default_rng(0).standard_normal((50, 3))


def ball(d):
    return d


def box(d):
    return np.where(d >= 0, 1.0, -1.0) * [1, 2, 3]


def cylinder(d):
    across = np.hypot(d[:, 0], d[:, 1])
    around = d[:, :2] / np.where(across > 0, across, 1)[:, None]
    return np.column_stack([around, np.where(d[:, 2] >= 0, 2.0, -2.0)])


def needle(d):
    radii = np.array([1.0, 2.0, 100.0])
    return radii**2 * d / np.linalg.norm(radii * d, axis=1)[:, None]


def cloud(d):
    return POINTS[np.argmax(d @ POINTS.T, axis=1)]


def far_off(d):
    return d + np.array([1e4, 0, 0])


@pytest.mark.parametrize("function", [ball, box, cylinder, needle, cloud, far_off], ids=lambda f: f.__name__)
@pytest.mark.parametrize("part", [None, 0.05])
def test_the_polytope_holds_the_shape_and_is_near(function, part):
    size = np.ptp(function(np.concatenate([np.eye(3), -np.eye(3)])), axis=0).max()
    shape = fc.ConvexSupport(function, None if part is None else part * size)
    directions = np.random.default_rng(1).standard_normal((20_000, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    true = np.einsum("ij,ij->i", directions, function(directions))
    reached = shape.support(directions)
    assert (reached >= true).all()
    # The difference of supports is the distance between convex sets.
    assert (reached - true).max() <= shape.deviation <= shape.tolerance


def test_polytopes_are_found_exactly():
    assert len(fc.ConvexSupport(box).points) == 8
    assert fc.ConvexSupport(box).deviation < 1e-9


def test_contacts_are_early_by_the_deviation_at_the_most():
    shape, other = fc.ConvexSupport(ball, 0.01), fc.Box([1, 1, 1])
    way = (np.eye(3), [5, 0.3, 0.2]), (np.eye(3), [0, 0.3, 0.2])
    found, truth = (
        fc.first_contact(other.moving(*way), shape),
        fc.first_contact(other.moving(*way), fc.Sphere(1)),
    )
    assert truth.time - 0.01 / 5 * 1.5 - 1e-6 <= found.time <= truth.time
    copy = pickle.loads(pickle.dumps(shape))
    assert copy.deviation == shape.deviation
    assert repr(copy) == repr(shape)
    assert fc.Rounded(shape, 0.5).support(np.eye(3))[0] >= 1.5


@pytest.mark.parametrize(
    ("function", "tolerance", "message"),
    [
        (
            lambda d: -d,
            None,
            r"function must give the farthest point: along \[0, 0, -1\] that along \[0, 0, 1\]",
        ),
        (lambda d: d * np.where(d[:, :1] > 0.9, 0.5, 1.0), None, "function must give the farthest point"),
        (lambda d: d[:, :2], None, r"function must give points \(\d+, 3\) for directions; gave \(\d+, 2\)"),
        (lambda d: "points", None, r"function must give points \(\d+, 3\); gave 'points'$"),
        (lambda d: np.full_like(d, np.inf), None, "function must give finite points; along "),
        (
            lambda d: np.where(d >= 0, 1.0, -1.0) * [1, 1, 0],
            None,
            "function must be of a shape with a volume",
        ),
        (lambda d: 0 * d, None, "function must be of a shape with a volume"),
        (ball, 0, "tolerance must be positive; received 0"),
    ],
)
def test_what_cannot_be_is_told(function, tolerance, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        fc.ConvexSupport(function, tolerance)


def test_a_tolerance_that_is_too_small_is_told(monkeypatch):
    monkeypatch.setattr(convex_support, "MOST_POINTS", 500)
    rule = "^tolerance must be one that 500 points are enough for; received 0.001, and 0.0"
    with pytest.raises(ValueError, match=rule):
        fc.ConvexSupport(ball, 1e-3)


def test_what_is_no_function_is_told():
    with pytest.raises(TypeError, match=r"^function must be one of directions \(n, 3\); received 3$"):
        fc.ConvexSupport(3)
