"""MJCF files compiled by MuJoCo, whose warnings are Python's: its own way is a log in the working folder."""

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from firstcontact.errors import RobotFileError

# MuJoCo has one handler of warnings for all threads.
_ONE_AT_A_TIME = threading.Lock()


def compiled(mujoco: Any, file: Path, level: int) -> Any:
    """Compile a file; each of MuJoCo's warnings is a Python warning of the caller `level` calls above.

    Raises
    ------
    RobotFileError
        MuJoCo cannot compile it, for the reason told.
    """
    texts = list[str]()
    try:
        with _heard(mujoco, texts):
            model = mujoco.MjModel.from_xml_path(str(file))
    except (ValueError, RuntimeError, mujoco.FatalError) as error:
        raise RobotFileError(f"{file}: {' '.join(str(error).split())}") from None
    for text in dict.fromkeys(texts):
        warnings.warn(f"{file}: {' '.join(text.split())}", stacklevel=level + 1)
    return model


@contextmanager
def _heard(mujoco: Any, texts: list[str]) -> Iterator[None]:
    """Gather this thread's warnings; those of others go to whoever listened before, or are told."""
    with _ONE_AT_A_TIME:
        before, own = mujoco.get_mju_user_warning(), threading.get_ident()

        def hear(text: str) -> None:
            if threading.get_ident() == own:
                texts.append(text)
            elif before is not None:
                before(text)
            else:
                warnings.warn(f"MuJoCo: {text}", stacklevel=2)

        mujoco.set_mju_user_warning(hear)
        try:
            yield
        finally:
            mujoco.set_mju_user_warning(before)
