"""Stories told side by side: a process each, since one process compiles on one core."""

import signal
from collections.abc import Mapping
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from firstcontact.cli.command_error import CommandError
from firstcontact.cli.demo.story import Story

_TICK = 0.25  # seconds, after which the clocks of the bars go on


def told_side_by_side(names: Mapping[str, str]) -> list[Story]:
    """Tell stories: names for people, by the modules that tell them. Bars show how far they are."""
    from tqdm import tqdm

    width = max(map(len, names.values()))
    form = "{desc} {bar:20} {elapsed}{postfix}"
    bars: dict[str, Any] = {
        module: tqdm(total=1.0, desc=name.ljust(width), bar_format=form, position=i, ncols=79, disable=None)
        for i, (module, name) in enumerate(names.items())
    }
    context = get_context("spawn")  # a fork would inherit locks, but not the threads that hold them
    told: dict[str, Story] = {}
    tellers, ends = [], {}
    try:
        for module in names:
            ends[module], far = context.Pipe(duplex=False)
            teller = context.Process(target=_tell, args=(module, far), daemon=True)
            teller.start()
            far.close()  # the teller's alone: its end is then seen as such
            tellers.append(teller)
        while len(told) < len(names):
            _listen({module: end for module, end in ends.items() if module not in told}, names, bars, told)
    finally:
        for bar in bars.values():
            bar.close()
        for teller in tellers:
            teller.terminate()
            teller.join()
    return [told[module] for module in names]


def _listen(
    ends: Mapping[str, Connection], names: Mapping[str, str], bars: Mapping[str, Any], told: dict[str, Story]
) -> None:
    """Hear what is new, and keep the bars going."""
    ready = wait(list(ends.values()), _TICK)
    for module, end in ends.items():
        bar = bars[module]
        if end in ready:
            match _heard(end, names[module]):
                case Story() as story:
                    told[module] = story
                    _stop_clock(bar)
                case words, share:
                    bar.set_postfix_str(words, refresh=False)
                    bar.update(share - bar.n)
        bar.refresh()


def _stop_clock(bar: Any) -> None:
    """Let a bar that will be drawn again keep the time that it shows."""
    if not bar.disable:
        elapsed = bar.format_interval(bar.format_dict["elapsed"])
        bar.bar_format = bar.bar_format.replace("{elapsed}", elapsed)


def _heard(end: Connection, name: str) -> Any:
    """Hear one thing: a story, or what is being done; a teller that failed is told in a sentence."""
    try:
        news = end.recv()
    except EOFError:
        raise CommandError(f"the story of the {name} ended too early: its process was stopped") from None
    if isinstance(news, Exception):
        raise CommandError(f"the story of the {name} failed, {type(news).__name__}: {news}") from None
    return news


def _tell(module: str, end: Connection) -> None:
    """Tell a story, in a process of its own."""
    from firstcontact._waiting import silence

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who listens
    silence()  # the bars tell of the compiler
    try:
        end.send(import_module(module).tell(lambda words, share: end.send((words, share))))
    except Exception as error:
        end.send(error)
