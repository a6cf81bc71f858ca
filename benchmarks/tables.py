"""Tables of plain text."""


def aligned(lines: list[tuple[str, ...]], n_left: int) -> str:
    """Columns as wide as need be; the first few to the left, numbers to the right."""
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(_aligned(line, widths, n_left) for line in lines)


def _aligned(line: tuple[str, ...], widths: list[int], n_left: int) -> str:
    cells = enumerate(zip(line, widths, strict=True))
    return "  ".join(cell.ljust(w) if i < n_left else cell.rjust(w) for i, (cell, w) in cells).rstrip()


def milliseconds(seconds: float) -> str:
    """Three digits, or all of those before the point."""
    return f"{1e3 * seconds:,.0f}" if seconds >= 0.1 else f"{1e3 * seconds:.3g}"
