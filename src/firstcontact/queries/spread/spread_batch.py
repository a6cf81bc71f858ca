"""From a batch to an answer by way of workers."""

from pathlib import Path
from time import perf_counter
from typing import Any

from firstcontact.advancement.ask import Ask
from firstcontact.answers.contact_results import AdvancementStats, RobotStats
from firstcontact.spreading.batch import Batch, part_of
from firstcontact.spreading.folder import InFolder
from firstcontact.spreading.here import Here
from firstcontact.spreading.joining import OFFSETS, Stripped, joined, restored, stripped
from firstcontact.spreading.keeping import InMemory, Keeper
from firstcontact.spreading.parts import InParts
from firstcontact.spreading.spread import spread


def spread_answer(batch: Batch, ask: Ask) -> Any:
    """Let workers answer about a batch: the same bytes as without them.

    What is wrong with all rows is told here, before anything is sent: no rows are asked about first.
    """
    began = perf_counter()
    nothing = stripped(batch.whole.answer(part_of(batch.rows, 0, 0)))
    if batch.n == 0:
        return restored(joined([nothing], batch.axis))
    found = spread(batch, ask.executor or Here(), _keeper(batch, nothing, ask.out), ask.progress)
    stats = found.known.get("stats")
    if isinstance(stats, AdvancementStats | RobotStats):
        object.__setattr__(stats, "seconds", perf_counter() - began)
    return restored(found)


def _keeper(batch: Batch, nothing: Stripped, out: Path | None) -> Keeper:
    """Who keeps the parts: in memory, or in a folder, by what a row of the answer is."""
    if out is None:
        return InMemory(batch.n, nothing, batch.axis)
    return (InParts if OFFSETS in nothing.known else InFolder)(out, batch, nothing)
