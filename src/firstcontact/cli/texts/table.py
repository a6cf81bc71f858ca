"""Plain text tables."""

from collections.abc import Iterable, Sequence


def table(rows: Sequence[tuple[str, ...]]) -> str:
    """Align the columns: the first to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            [row[0].ljust(widths[0])] + [cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True)]
        )
        for row in rows
    )


def point(coordinates: Iterable[float]) -> str:
    """A place, or a vector, for people to read; what is a rounding of the largest number is 0."""
    values = list(coordinates)
    least = max(map(abs, values)) * 2.0**-50
    return ", ".join(f"{x if abs(x) > least else 0.0:.4g}" for x in values)


def lined_up(rows: Sequence[tuple[str, str]]) -> str:
    """Names and values, both to the left: for values that are words."""
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name.ljust(width)}  {value}" for name, value in rows)
