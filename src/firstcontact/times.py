"""Times in a few digits: rounded down, since a time that is told must not be late either."""

from decimal import ROUND_FLOOR, Context, Decimal

_SIX = Context(prec=6, rounding=ROUND_FLOOR)


def rounded_down(time: float, digits: int) -> float:
    """Round a finite time down to so many decimal places.

    Examples
    --------
    >>> rounded_down(0.2999999, 6), rounded_down(0.3, 6)
    (0.299999, 0.3)
    """
    # Of its shortest digits, which are as good as the number: 0.3 is a little less than three tenths.
    return float(Decimal(repr(float(time))).quantize(Decimal(1).scaleb(-digits), ROUND_FLOOR))


def time_text(time: float) -> str:
    """A time in six digits, rounded down.

    Examples
    --------
    >>> time_text(0.19999998), time_text(0.2), time_text(3.00000199e-7), time_text(float("inf"))
    ('0.199999', '0.2', '3e-07', 'inf')
    """
    return f"{float(_SIX.create_decimal(repr(float(time)))):.6g}"
