"""Jets hold what formulas have: values and two derivatives, at every time of a stretch."""

import numpy as np
import pytest

from firstcontact._jit import driver
from firstcontact.arrays import Array
from firstcontact.scalar.formula import cosine_of_root, place_of, sinc_of_root, taken_down
from firstcontact.scalar.jets import N_JET, Tape, write_jets

Real = np.longdouble


@driver
def evaluate(tape: Tape, starts: Array, ends: Array, jets: Array) -> None:
    """Jets of the last operation over stretches, into (m, N_JET)."""
    room = np.empty((len(tape.codes), N_JET))
    for k in range(len(starts)):
        write_jets(tape, starts[k], ends[k], room)
        jets[k] = room[len(tape.codes) - 1]


def jets_of(function, starts, ends):
    given, notes = taken_down(function)
    tape, places = notes.tape([place_of(notes, given)])
    assert places[0] == len(tape.codes) - 1
    jets = np.empty((len(starts), N_JET))
    evaluate(tape, np.ascontiguousarray(starts), np.ascontiguousarray(ends), jets)
    return jets


def root_functions(x):
    """sin(r) / r and cos(r) of r = sqrt(x), with two derivatives, by their series."""
    sinc, cosine = [Real(0)] * 3, [Real(0)] * 3
    for series, odd in ((sinc, 1), (cosine, 0)):
        factor = Real(1)
        for k in range(60):
            series[0] += factor * x**k
            series[1] += k * factor * x ** max(k - 1, 0)
            series[2] += k * (k - 1) * factor * x ** max(k - 2, 0)
            factor /= -(2 * k + 1 + odd) * (2 * k + 2 + odd)
    return sinc, cosine


# A function, and its value and two derivatives in extended precision, over t in [0, 1].
CASES = {
    "sin": (lambda t: np.sin(7 * t), lambda t: (np.sin(7 * t), 7 * np.cos(7 * t), -49 * np.sin(7 * t))),
    "cos": (
        lambda t: np.cos(40 * t - 20),
        lambda t: (np.cos(40 * t - 20), -40 * np.sin(40 * t - 20), -1600 * np.cos(40 * t - 20)),
    ),
    "tan": (
        np.tan,
        lambda t: (np.tan(t), 1 + np.tan(t) ** 2, 2 * np.tan(t) * (1 + np.tan(t) ** 2)),
    ),
    "exp": (lambda t: np.exp(-3 * t), lambda t: (np.exp(-3 * t), -3 * np.exp(-3 * t), 9 * np.exp(-3 * t))),
    "log": (lambda t: np.log(t + 0.5), lambda t: (np.log(t + 0.5), 1 / (t + 0.5), -1 / (t + 0.5) ** 2)),
    "sqrt": (
        lambda t: np.sqrt(t + 0.01),
        lambda t: (np.sqrt(t + 0.01), 0.5 / np.sqrt(t + 0.01), -0.25 / np.sqrt(t + 0.01) ** 3),
    ),
    "reciprocal": (lambda t: 1 / (t + 1), lambda t: (1 / (t + 1), -1 / (t + 1) ** 2, 2 / (t + 1) ** 3)),
    "power": (lambda t: (t - 0.5) ** 5, lambda t: ((t - 0.5) ** 5, 5 * (t - 0.5) ** 4, 20 * (t - 0.5) ** 3)),
    "root": (
        lambda t: (t + 1) ** 1.5,
        lambda t: ((t + 1) ** Real(1.5), 1.5 * np.sqrt(t + 1), 0.75 / np.sqrt(t + 1)),
    ),
    "arctan": (
        lambda t: np.arctan(3 * t),
        lambda t: (np.arctan(3 * t), 3 / (1 + 9 * t * t), -54 * t / (1 + 9 * t * t) ** 2),
    ),
    "arcsin": (
        lambda t: np.arcsin(0.5 * t),
        lambda t: (np.arcsin(t / 2), 0.5 / np.sqrt(1 - t * t / 4), 0.125 * t / np.sqrt(1 - t * t / 4) ** 3),
    ),
    "arccos": (
        lambda t: np.arccos(0.5 * t),
        lambda t: (np.arccos(t / 2), -0.5 / np.sqrt(1 - t * t / 4), -0.125 * t / np.sqrt(1 - t * t / 4) ** 3),
    ),
    "tanh": (
        np.tanh,
        lambda t: (np.tanh(t), 1 - np.tanh(t) ** 2, -2 * np.tanh(t) * (1 - np.tanh(t) ** 2)),
    ),
    "sinh": (np.sinh, lambda t: (np.sinh(t), np.cosh(t), np.sinh(t))),
    "product": (
        lambda t: t * np.cos(t),
        lambda t: (t * np.cos(t), np.cos(t) - t * np.sin(t), -2 * np.sin(t) - t * np.cos(t)),
    ),
    "abs": (lambda t: abs(t - 2), lambda t: (2 - t, Real(-1), Real(0))),
    "sinc": (
        lambda t: sinc_of_root(9 * t),
        lambda t: [9**k * x for k, x in enumerate(root_functions(9 * t)[0])],
    ),
    "cosine of a root": (
        lambda t: cosine_of_root(9 * t),
        lambda t: [9**k * x for k, x in enumerate(root_functions(9 * t)[1])],
    ),
}


def random_stretches(n, seed):
    rng = np.random.default_rng(seed)
    starts = rng.random(n)
    ends = np.minimum(starts + (1 - starts) * rng.random(n) * 10.0 ** -rng.integers(0, 12, n), 1.0)
    ends[:20] = starts[:20]
    starts[-1], ends[-1] = 0.0, 1.0
    return starts, ends


@pytest.mark.parametrize("name", CASES)
def test_they_hold_the_truth(name):
    function, truth = CASES[name]
    starts, ends = random_stretches(300, 0)
    jets = jets_of(function, starts, ends)
    for part in (0.0, 0.3, 0.7, 1.0):
        t = np.minimum(starts.astype(Real) + Real(part) * (ends - starts), ends)
        for column, derivative in enumerate(truth(t)):
            value = np.broadcast_to(derivative, t.shape)
            assert (jets[:, 2 * column] <= value).all()
            assert (value <= jets[:, 2 * column + 1]).all()


@pytest.mark.parametrize("name", CASES)
def test_at_an_instant_they_are_the_truth_to_rounding(name):
    function, truth = CASES[name]
    t = np.linspace(0.01, 0.99, 50)
    jets = jets_of(function, t, t)
    for column, value in enumerate(truth(t.astype(Real))):
        width = jets[:, 2 * column + 1] - jets[:, 2 * column]
        assert (width <= 1e-12 * (1 + 100 * np.abs(np.asarray(value)))).all()


def test_a_sine_over_many_turns_is_anything():
    jets = jets_of(lambda t: np.sin(1e6 * t), np.zeros(1), np.ones(1))
    assert jets[0, 0] == -1.0
    assert jets[0, 1] == 1.0
    far = jets_of(lambda t: np.sin(1e12 * t), np.full(1, 0.5), np.full(1, 0.5))
    assert far[0, 0] == -1.0


def test_what_overflows_is_the_whole_line():
    jets = jets_of(lambda t: np.exp(2000 * t), np.zeros(1), np.ones(1))
    assert jets[0, 1] == np.inf
    assert jets[0, 0] <= 1.0
    square = jets_of(lambda t: (1e200 * t) ** 4, np.zeros(1), np.ones(1))
    assert square[0, 1] == np.inf
