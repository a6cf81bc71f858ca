"""An executor for who has none: this process, at once."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any


class Here(Executor):
    """Does what it is given before it returns."""

    n_workers = 1

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Do it."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future
