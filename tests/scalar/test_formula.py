"""Formulas are taken down as they are written, with whatever of NumPy moves, multiplies and adds."""

import numpy as np
import pytest

from firstcontact.scalar.formula import NotSmoothError, Symbol, place_of, taken_down
from firstcontact.scalar.formula_codes import Operation
from scalar.test_jets import jets_of


def value_of(function, t):
    jets = jets_of(function, np.array([t]), np.array([t]))
    return 0.5 * (jets[0, 0] + jets[0, 1])


@pytest.mark.parametrize(
    "function",
    [
        lambda t: np.linalg.norm(np.array([t, 1, 2 * t])),
        lambda t: np.cross([0, 0, 1], [np.cos(t), np.sin(t), 0])[0],
        lambda t: (np.array([[t, 1], [2, t]]) @ np.array([t, 3.0]))[1],
        lambda t: np.stack([t, t**2, 3.0 / (1 + t)]).sum(),
        lambda t: np.dot(np.array([t, 2.0]), np.array([3.0, t])),
        lambda t: np.einsum("i,i->", np.array([t, 2.0]), np.array([3.0, t])),
        lambda t: np.polyval([1, 2, 3], t),
        np.polynomial.Polynomial([1, 2, 3]),
        lambda t: np.sin(np.array([t, 2 * t]))[1] + np.mean(np.array([t, t + 1])),
        lambda t: 2**t + t**-2 + (t + 1) ** 0.5 + (t + 1) ** 2.5 + (t + 2) ** t,
        lambda t: np.exp2(t) + np.expm1(t) + np.log1p(t) + np.square(t) + np.reciprocal(t + 1),
        lambda t: np.deg2rad(t) + np.rad2deg(t) + np.hypot(t, 2) + np.fabs(t + 1) + np.cosh(t),
        lambda t: -t + +t - (3 - t) + np.negative(t) + np.positive(t) + np.float64(2) * t + 1 / t,
    ],
)
def test_formulas_are_what_they_say(function):
    for t in (0.3, 0.9):
        assert value_of(function, t) == pytest.approx(float(function(np.float64(t))), rel=1e-13)


def test_each_operation_is_noted_once():
    _, notes = taken_down(lambda t: np.sin(t) * np.cos(t) + np.sin(t) * np.cos(t))
    tape, _ = notes.tape([len(notes) - 1])
    assert sorted(tape.codes.tolist()) == sorted(
        [Operation.TIME, Operation.SIN, Operation.COS, Operation.MULTIPLY, Operation.ADD]
    )


def test_zeros_and_ones_of_matrices_cost_nothing():
    given, notes = taken_down(lambda t: (np.eye(3) @ np.array([np.sin(t), 0, 1]))[0] + 0.0)
    tape, _ = notes.tape([place_of(notes, given)])
    assert len(tape.codes) == 2


def test_symbols_of_two_functions_do_not_mix():
    kept = []
    taken_down(kept.append)
    with pytest.raises(NotSmoothError, match="another"):
        taken_down(lambda t: t + kept[0])


def test_what_is_asked_of_a_number_alone_is_refused():
    t = taken_down(lambda t: t)[0]
    assert isinstance(t, Symbol)
    for function in (int, complex, abs, hash):
        if function in (abs, hash):
            function(t)
        else:
            with pytest.raises(NotSmoothError, match="float"):
                function(t)
    with pytest.raises(AttributeError, match="real"):
        _ = t.real
    with pytest.raises(NotSmoothError, match="division by 0"):
        _ = t / 0
    with pytest.raises(NotSmoothError, match=r"add\.reduce"):
        np.add.reduce(t)
