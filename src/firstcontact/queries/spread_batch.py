"""From a batch to an answer by way of workers."""

from time import perf_counter
from typing import Any

from firstcontact.advancement.ask import Ask
from firstcontact.answers.contact_results import AdvancementStats, RobotStats
from firstcontact.spreading.batch import Batch, part_of
from firstcontact.spreading.folder import InFolder
from firstcontact.spreading.here import Here
from firstcontact.spreading.joining import joined, restored, stripped
from firstcontact.spreading.keeping import InMemory
from firstcontact.spreading.spread import spread


def spread_answer(batch: Batch, ask: Ask) -> Any:
    """Let workers answer about a batch: the same bytes as without them.

    What is wrong with all rows is told here, before anything is sent: no rows are asked about first.
    """
    began = perf_counter()
    nothing = stripped(batch.whole.answer(part_of(batch.rows, 0, 0)))
    if batch.n == 0:
        return restored(joined([nothing], batch.axis))
    in_memory = ask.out is None
    keeper = InMemory(batch.n, nothing, batch.axis) if in_memory else InFolder(ask.out, batch, nothing)
    found = spread(batch, ask.executor or Here(), keeper, ask.progress)
    stats = found.known.get("stats")
    if isinstance(stats, AdvancementStats | RobotStats):
        object.__setattr__(stats, "seconds", perf_counter() - began)
    return restored(found)
