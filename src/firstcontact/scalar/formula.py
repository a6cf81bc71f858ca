"""Formulas of time, as users write them with NumPy's functions, taken down once.

A function is called with a symbol for t. What it does to it is noted, operation by operation; afterwards only
the notes are read, which can be carried out in intervals by compiled code, and sent elsewhere. What cannot be
noted, as a branch on t, is refused by its name.
"""

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from firstcontact._validate import shown
from firstcontact.scalar.formula_codes import Operation
from firstcontact.scalar.formula_notes import Notes

_USE = "use NumPy's smooth functions of t, or state bounds"

# Functions of NumPy that only move, multiply and add what is in arrays.
_PLAIN_FUNCTIONS = {
    np.stack,
    np.concatenate,
    np.hstack,
    np.vstack,
    np.dstack,
    np.column_stack,
    np.block,
    np.append,
    np.dot,
    np.vdot,
    np.inner,
    np.outer,
    np.cross,
    np.einsum,
    np.sum,
    np.prod,
    np.mean,
    np.cumsum,
    np.polyval,
    np.linalg.norm,
    np.transpose,
    np.reshape,
    np.ravel,
    np.squeeze,
    np.broadcast_to,
    np.tile,
    np.repeat,
    np.atleast_1d,
    np.atleast_2d,
    np.zeros_like,
    np.ones_like,
    np.full_like,
}


class NotSmoothError(TypeError):
    """A function that does with t what no formula can say."""


class Symbol:
    """A number that depends on t: what a function that is taken down is called with, and works on."""

    # An array of objects asks each of them.
    __slots__ = ("notes", "place")

    def __init__(self, notes: Notes, place: int) -> None:
        self.notes, self.place = notes, place

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__" or options:
            _refuse(f"np.{ufunc.__name__}.{method}" if method != "__call__" else f"np.{ufunc.__name__}(out=)")
        if any(isinstance(x, np.ndarray | list | tuple) for x in inputs):
            return ufunc(*(_boxed(x) if isinstance(x, Symbol) else x for x in inputs))
        function = _FUNCTIONS.get(ufunc.__name__)
        if function is None:
            _refuse(f"np.{ufunc.__name__}")
        return function(*(_as_symbol(self.notes, x) for x in inputs))

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        if function not in _PLAIN_FUNCTIONS:
            _refuse(f"np.{function.__name__}")
        return function(*_boxed_all(args), **options)

    def __getattr__(self, name: str) -> Any:
        # NumPy asks the objects of an array for a method of the function's name.
        if name in _FUNCTIONS:
            return lambda *others: _FUNCTIONS[name](self, *(_as_symbol(self.notes, x) for x in others))
        raise AttributeError(f"a number that depends on t has no {name!r}")

    def __add__(self, other: Any) -> Any:
        return _binary(np.add, self, other)

    def __radd__(self, other: Any) -> Any:
        return _binary(np.add, other, self)

    def __sub__(self, other: Any) -> Any:
        return _binary(np.subtract, self, other)

    def __rsub__(self, other: Any) -> Any:
        return _binary(np.subtract, other, self)

    def __mul__(self, other: Any) -> Any:
        return _binary(np.multiply, self, other)

    def __rmul__(self, other: Any) -> Any:
        return _binary(np.multiply, other, self)

    def __truediv__(self, other: Any) -> Any:
        return _binary(np.true_divide, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _binary(np.true_divide, other, self)

    def __pow__(self, other: Any) -> Any:
        return _binary(np.power, self, other)

    def __rpow__(self, other: Any) -> Any:
        return _binary(np.power, other, self)

    def __neg__(self) -> Any:
        return 0.0 - self

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return np.absolute(self)

    def __bool__(self) -> bool:
        raise _refusal("a branch on t (bool)")

    def __float__(self) -> NoReturn:
        _refuse("float(), as math's functions, tables and arrays of floats ask for,")

    __int__ = __index__ = __complex__ = __float__

    def __lt__(self, other: Any) -> NoReturn:
        _refuse("a comparison of t")

    __le__ = __gt__ = __ge__ = __lt__

    def __eq__(self, other: object) -> NoReturn:
        _refuse("a comparison of t")

    __ne__ = __eq__
    __hash__ = object.__hash__

    def __mod__(self, other: Any) -> NoReturn:
        _refuse("a remainder of t (%)")

    __rmod__ = __floordiv__ = __rfloordiv__ = __divmod__ = __rdivmod__ = __mod__

    def __round__(self, digits: Any = None) -> NoReturn:
        _refuse("a number of t that is rounded (round, floor, ceil)")

    __floor__ = __ceil__ = __trunc__ = __round__


def taken_down(function: Callable[[Any], Any]) -> tuple[Any, Notes]:
    """Call a function with a symbol for t; return what it gives, and the notes it was taken down in."""
    notes = Notes()
    return function(Symbol(notes, notes.note(Operation.TIME))), notes


def place_of(notes: Notes, value: Any) -> int:
    """Place of a number, or of what depends on t."""
    return int(_as_symbol(notes, value).place)


def _refusal(what: str) -> NotSmoothError:
    return NotSmoothError(f"{what} has no derivatives that are known: {_USE}")


def _refuse(what: str) -> NoReturn:
    raise _refusal(what)


def _boxed(value: Any) -> Any:
    box = np.empty((), object)
    box[()] = value
    return box


def _boxed_all(value: Any) -> Any:
    if isinstance(value, Symbol):
        return _boxed(value)
    return type(value)(map(_boxed_all, value)) if isinstance(value, list | tuple) else value


def _binary(ufunc: np.ufunc, left: Any, right: Any) -> Any:
    return ufunc(left, right)


def _as_symbol(notes: Notes, value: Any) -> Symbol:
    if isinstance(value, Symbol):
        if value.notes is not notes:
            raise NotSmoothError("t of one motion was used in another: write each of them on its own")
        return value
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return _as_symbol(notes, value[()])
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise NotSmoothError(f"a motion must be made of numbers; received {shown(value)}") from error
    if not np.isfinite(number):
        raise NotSmoothError(f"a motion must be made of finite numbers; received {number}")
    return Symbol(notes, notes.note(Operation.CONSTANT, constant=number + 0.0))


def _constant(x: Symbol) -> float | None:
    """Value of what does not depend on t."""
    code, _, _, constant = x.notes.operation(x.place)
    return constant if code == Operation.CONSTANT else None


def _noted(code: Operation, x: Symbol, y: Symbol | None = None) -> Symbol:
    return Symbol(x.notes, x.notes.note(code, x.place, x.place if y is None else y.place))


def _number(x: Symbol, value: float) -> Symbol:
    return _as_symbol(x.notes, value)


def _add(x: Symbol, y: Symbol) -> Symbol:
    if _constant(x) == 0.0:
        return y
    return x if _constant(y) == 0.0 else _noted(Operation.ADD, x, y)


def _subtract(x: Symbol, y: Symbol) -> Symbol:
    return x if _constant(y) == 0.0 else _noted(Operation.SUBTRACT, x, y)


def _multiply(x: Symbol, y: Symbol) -> Symbol:
    for one, other in ((x, y), (y, x)):
        if _constant(one) in (0.0, 1.0):  # as matrices have many
            return one if _constant(one) == 0.0 else other
    return _square(x) if x.place == y.place else _noted(Operation.MULTIPLY, x, y)


def _square(x: Symbol) -> Symbol:
    return _noted(Operation.SQUARE, x)


def _reciprocal(x: Symbol) -> Symbol:
    return _noted(Operation.RECIPROCAL, x)


def _divide(x: Symbol, y: Symbol) -> Symbol:
    if _constant(y) == 0.0:
        _refuse("a division by 0")
    return x if _constant(y) == 1.0 else _multiply(x, _reciprocal(y))


def _power(x: Symbol, y: Symbol) -> Symbol:
    exponent = _constant(y)
    if exponent is None:
        return _noted(Operation.EXP, _multiply(y, _noted(Operation.LOG, x)))
    if exponent == int(exponent) and abs(exponent) <= 1 << 20:
        whole = _whole_power(x, abs(int(exponent)))
        return whole if exponent >= 0.0 else _reciprocal(whole)
    if exponent in (0.5, -0.5):
        root = _noted(Operation.SQRT, x)
        return root if exponent > 0.0 else _reciprocal(root)
    return _noted(Operation.EXP, _multiply(y, _noted(Operation.LOG, x)))


def _whole_power(x: Symbol, n: int) -> Symbol:
    """Powers by squares of squares."""
    found = _number(x, 1.0)
    while n > 0:
        if n % 2 == 1:
            found = _multiply(found, x)
        x, n = _square(x) if n > 1 else x, n // 2
    return found


def _tangent(x: Symbol) -> Symbol:
    return _divide(_noted(Operation.SIN, x), _noted(Operation.COS, x))


def _exponentials(x: Symbol) -> tuple[Symbol, Symbol]:
    return _noted(Operation.EXP, x), _noted(Operation.EXP, _subtract(_number(x, 0.0), x))


def _hyperbolic_sine(x: Symbol) -> Symbol:
    up, down = _exponentials(x)
    return _multiply(_number(x, 0.5), _subtract(up, down))


def _hyperbolic_cosine(x: Symbol) -> Symbol:
    up, down = _exponentials(x)
    return _multiply(_number(x, 0.5), _add(up, down))


def _hyperbolic_tangent(x: Symbol) -> Symbol:
    """1 - 2 / (1 + exp(2 x)): no quotient of large numbers."""
    part = _reciprocal(_add(_number(x, 1.0), _noted(Operation.EXP, _multiply(_number(x, 2.0), x))))
    return _subtract(_number(x, 1.0), _multiply(_number(x, 2.0), part))


def _hypotenuse(x: Symbol, y: Symbol) -> Symbol:
    return _noted(Operation.SQRT, _add(_square(x), _square(y)))


def _arc_cosine(x: Symbol) -> Symbol:
    """Twice the arc tangent of sqrt((1 - x) / (1 + x)): no number stands for pi."""
    one = _number(x, 1.0)
    return _multiply(
        _number(x, 2.0),
        _noted(Operation.ARCTAN, _noted(Operation.SQRT, _divide(_subtract(one, x), _add(one, x)))),
    )


def cosine_of_root(x: Symbol) -> Symbol:
    """Cosine of an angle, of its square."""
    return _noted(Operation.COS_ROOT, x)


def sinc_of_root(x: Symbol) -> Symbol:
    """Sine of an angle divided by it, of its square."""
    return _noted(Operation.SINC_ROOT, x)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "add": _add,
    "subtract": _subtract,
    "multiply": _multiply,
    "divide": _divide,
    "true_divide": _divide,
    "power": _power,
    "float_power": _power,
    "square": _square,
    "reciprocal": _reciprocal,
    "negative": lambda x: _subtract(_number(x, 0.0), x),
    "positive": lambda x: x,
    "conjugate": lambda x: x,
    "sqrt": lambda x: _noted(Operation.SQRT, x),
    "sin": lambda x: _noted(Operation.SIN, x),
    "cos": lambda x: _noted(Operation.COS, x),
    "tan": _tangent,
    "exp": lambda x: _noted(Operation.EXP, x),
    "exp2": lambda x: _power(_number(x, 2.0), x),
    "expm1": lambda x: _subtract(_noted(Operation.EXP, x), _number(x, 1.0)),
    "log": lambda x: _noted(Operation.LOG, x),
    "log1p": lambda x: _noted(Operation.LOG, _add(_number(x, 1.0), x)),
    "arctan": lambda x: _noted(Operation.ARCTAN, x),
    "arcsin": lambda x: _noted(Operation.ARCSIN, x),
    "arccos": _arc_cosine,
    "sinh": _hyperbolic_sine,
    "cosh": _hyperbolic_cosine,
    "tanh": _hyperbolic_tangent,
    "hypot": _hypotenuse,
    "absolute": lambda x: _noted(Operation.ABS, x),
    "fabs": lambda x: _noted(Operation.ABS, x),
    "deg2rad": lambda x: _multiply(_number(x, np.pi / 180.0), x),
    "radians": lambda x: _multiply(_number(x, np.pi / 180.0), x),
    "rad2deg": lambda x: _multiply(_number(x, 180.0 / np.pi), x),
    "degrees": lambda x: _multiply(_number(x, 180.0 / np.pi), x),
}
