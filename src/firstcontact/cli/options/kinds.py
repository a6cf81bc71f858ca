"""The kinds of elementary query, by the names the command line gives them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import firstcontact as fc


def kind_names() -> tuple[str, str]:
    """Name the kinds, the default first."""
    return "vertex-face", "edge-edge"


def query_of(kind: str) -> Callable[..., Any]:
    """Find the public function that answers a kind of query."""
    return fc.vertex_face_ccd if kind == "vertex-face" else fc.edge_edge_ccd
