"""What the plots of all benchmarks share: colours, panels without frames, titles, files."""

import io
from pathlib import Path
from typing import Any

INK, GREY, PALE = "#22303c", "#6b7883", "#e3e8ec"
TEAL, SKY, SAND, RUST, BLUE, PLUM = "#1f7a8c", "#7cc4cf", "#e9b872", "#c8553d", "#3d5ac8", "#8a6fb0"


def canvas(width: float, height: float, rows: int = 1, columns: int = 1, **options: Any) -> tuple[Any, Any]:
    """A figure and its panels, an array (rows, columns), without frames; sizes in inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=100, facecolor="white", layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False, **options)
    for axes in panels.flat:
        axes.grid(color=PALE)
        axes.set_axisbelow(True)
        axes.tick_params(which="both", length=0, labelsize=9, labelcolor=INK)
        axes.spines[:].set_visible(False)
    return figure, panels


def entitle(axes: Any, text: str) -> None:
    """Head a panel."""
    axes.set_title(text, loc="left", fontsize=11, color=INK, fontweight="bold")


def logarithmic(axes: Any, x: bool = True, y: bool = True) -> None:
    """Scale both axes, or one, by powers of ten."""
    axes.set(xscale="log" if x else "linear", yscale="log" if y else "linear")


def duration(seconds: float) -> str:
    """Three digits and a unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= 0.9995 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{1e9 * seconds:.3g} ns"


def times(ratio: float) -> str:
    """How many times as long."""
    return f"{ratio:,.0f} x" if ratio >= 9.95 else f"{ratio:.2g} x"


def svg(figure: Any, name: str) -> str:
    """The figure as a picture that needs no fonts; the same figure gives the same text."""
    import matplotlib

    text = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": name}):
        figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()


def save_png(figure: Any, path: Path, title: str, foot: str) -> None:
    """Write the figure as a picture that stands alone, with a title and where it was measured."""
    figure.suptitle(title, x=0.01, ha="left", fontsize=13, fontweight="bold", color=INK)
    figure.supxlabel(foot, x=0.01, ha="left", fontsize=7, color=GREY)
    figure.savefig(path, format="png")
