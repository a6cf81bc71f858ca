"""How the times of many first contacts are spread."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from firstcontact.viz.view import COLORS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

N_BINS = 50


def histogram(hit: NDArray[np.bool_], time: NDArray[np.float64], ax: "Axes", title: str | None) -> None:
    """Draw how many contacts there are at which time, and say how many there are of how many."""
    times = np.atleast_1d(time)[np.atleast_1d(hit)]
    ax.hist(times, bins=N_BINS, range=(0.0, 1.0), color=f"#{COLORS[0]:06x}")
    ax.set_xlim(0.0, 1.0)
    ax.set_xlabel("time of the first contact")
    ax.set_ylabel("how many")
    ax.locator_params(axis="y", integer=True)
    ax.spines[["top", "right"]].set_visible(False)
    n = np.size(hit)
    told = f"{n - len(times):,} of {n:,} have no contact" + (f" ({1 - len(times) / n:.1%})" if n else "")
    ax.set_title(told if title is None else title, fontsize="medium", parse_math=False)
