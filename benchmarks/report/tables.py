"""Tables of plain text, of HTML and of Markdown, and the numbers in them."""

from html import escape
from math import isnan, log, nan
from statistics import linear_regression

from report.section import Lines


def aligned(lines: Lines, n_left: int) -> str:
    """Columns as wide as need be; the first few to the left, numbers to the right."""
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(_aligned(line, widths, n_left) for line in lines)


def _aligned(line: tuple[str, ...], widths: list[int], n_left: int) -> str:
    cells = enumerate(zip(line, widths, strict=True))
    return "  ".join(cell.ljust(w) if i < n_left else cell.rjust(w) for i, (cell, w) in cells).rstrip()


def markdown(lines: Lines, n_left: int) -> str:
    """A table with numbers to the right."""
    rule = tuple("---" if i < n_left else "---:" for i in range(len(lines[0])))
    return "\n".join("| " + " | ".join(line) + " |" for line in (lines[0], rule, *lines[1:]))


def html(lines: Lines, n_left: int) -> str:
    """A table with numbers to the right; it scrolls where it is wider, or much longer, than the page."""
    head, *rows = ["".join(_cells(line, n_left, tag)) for line, tag in _tagged(lines)]
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>'


def _tagged(lines: Lines) -> list[tuple[tuple[str, ...], str]]:
    return [(line, "td" if i else "th") for i, line in enumerate(lines)]


def _cells(line: tuple[str, ...], n_left: int, tag: str) -> list[str]:
    return [f"<{tag}{' class=n' * (i >= n_left)}>{escape(cell)}</{tag}>" for i, cell in enumerate(line)]


def milliseconds(seconds: float) -> str:
    """Three digits, or all of those before the point; empty for what is not a number."""
    if isnan(seconds):
        return ""
    return f"{1e3 * seconds:,.0f}" if seconds >= 0.1 else f"{1e3 * seconds:.3g}"


def ratio_of(ratio: float) -> str:
    """Two digits, or all of those before the point; empty for what is not a number."""
    if isnan(ratio):
        return ""
    return f"{ratio:,.0f}" if ratio >= 99.5 else f"{ratio:.2g}"


def exponent(sizes: list[int], seconds: list[float]) -> float:
    """The power of the size that the time grows with, by least squares of the logarithms."""
    shown = [(log(n), log(taken)) for n, taken in zip(sizes, seconds, strict=True) if taken > 0.0]
    return linear_regression(*zip(*shown, strict=True)).slope if len(shown) > 1 else nan
