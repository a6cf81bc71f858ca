"""A small chart as a drawing of HTML (SVG): counts over steps."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Line = tuple[str, int, NDArray[np.int64]]

_WIDTH, _HEIGHT = 620, 170
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 88, 26, 26  # margins
_INK, _FAINT = "#66737f", "#dde3e9"


def chart(title: str, lines: Sequence[Line]) -> str:
    """Draw counts over steps, a filled line each, with its name at its end."""
    n = max(len(values) for _, _, values in lines)
    top = _round_up(max(int(values.max(initial=0)) for _, _, values in lines))
    parts = [f'<text x="{_LEFT}" y="14" font-weight="600" fill="#1f2933">{title}</text>']
    for part in (0.0, 0.5, 1.0):
        y = _y(part)
        parts.append(f'<path d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}" stroke="{_FAINT}"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{part * top:,.0f}</text>')
    for step in range(0, n + 1, 20):
        x = _x(step / n)
        parts.append(
            f'<text x="{x:.1f}" y="{_HEIGHT - 6}" text-anchor="middle">{"step " * (step == 0)}{step}</text>'
        )
    parts.extend(_drawn(line, n, top) for line in lines)
    style = "width:100%;max-width:46rem;height:auto;display:block;margin:0.5rem 0"
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{title}" style="{style}" '
        f'font-size="12" fill="{_INK}">{"".join(parts)}</svg>'
    )


def _drawn(line: Line, n: int, top: int) -> str:
    name, color, values = line
    paint = f"#{color:06x}"
    places = [f"{_x((i + 1) / n):.1f} {_y(value / top):.1f}" for i, value in enumerate(values.tolist())]
    area = f"M{_x(1 / n):.1f} {_y(0.0):.1f}L{'L'.join(places)}V{_y(0.0):.1f}Z"
    end = _y(values[-1] / top)
    return (
        f'<path d="{area}" fill="{paint}" fill-opacity="0.25"/>'
        f'<path d="M{"L".join(places)}" fill="none" stroke="{paint}" stroke-width="2"/>'
        f'<text x="{_WIDTH - _RIGHT + 8}" y="{min(end + 4, _y(0.0)):.1f}" fill="{_INK}">{name}</text>'
    )


def _x(part: float) -> float:
    return _LEFT + part * (_WIDTH - _LEFT - _RIGHT)


def _y(part: float) -> float:
    return _HEIGHT - _BOTTOM - part * (_HEIGHT - _TOP - _BOTTOM)


def _round_up(value: int) -> int:
    """The next number with one digit that is not zero, but at least 2 so that a half of it is whole."""
    unit = int(10 ** max(len(str(value)) - 1, 0))
    return max(-(-value // unit) * unit, 2)
