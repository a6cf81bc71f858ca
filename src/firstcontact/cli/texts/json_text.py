"""JSON that every reader takes: numbers that are infinite, or none at all, become null."""

import json
import math
from enum import Enum
from typing import Any


def json_text(document: Any) -> str:
    """Write plain data, arrays and enumerations as one strictly valid JSON document, on one line."""
    return json.dumps(plain(document), allow_nan=False)


def plain(value: Any) -> Any:
    """Make plain data of it."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Enum):
        return name_of(value)
    if hasattr(value, "tolist"):  # arrays and numbers of NumPy
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def name_of(value: Enum) -> str:
    """Name a status or a kind as the command line does: "edge-edge"."""
    return value.name.lower().replace("_", "-")
