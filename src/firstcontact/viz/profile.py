"""Distance against time: the profile of a clearance."""

from typing import TYPE_CHECKING

import numpy as np

import firstcontact as fc
from firstcontact.times import time_text
from firstcontact.viz.view import COLORS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

N_TIMES = 201

# Curves of a batch are faint where there are more than this.
MANY = 8


def profile(found: fc.Clearance, ax: "Axes", title: str | None) -> None:
    """Draw the distance at each time, where it is least, and what is proven: nothing is below the line."""
    times, distances = found.profile(N_TIMES)
    rows = np.atleast_2d(distances)
    ax.plot(times, rows.T, color=f"#{COLORS[0]:06x}", alpha=1.0 if len(rows) <= MANY else 0.3)
    ax.plot(found.time, found.distance, "o", color=f"#{COLORS[1]:06x}")
    lower = np.min(found.distance_lower, initial=np.inf)
    if np.isfinite(lower):
        ax.axhline(float(lower), color="0.5", linestyle="--", linewidth=1.0)
    ax.set_xlim(0.0, 1.0)
    ax.set_ylim(bottom=0.0)
    ax.set_xlabel("time")
    ax.set_ylabel("distance")
    ax.spines[["top", "right"]].set_visible(False)
    if title is None:
        title = f"{len(rows):,} motions, never nearer than {lower:.4g}"
        if isinstance(found.distance, float) and isinstance(found.time, float):
            title = f"never nearer than {lower:.4g}, and {found.distance:.4g} at t = {time_text(found.time)}"
    ax.set_title(title, fontsize="medium", parse_math=False)
