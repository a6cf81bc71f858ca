"""When do moving things first touch? Continuous collision detection with guarantees.

The public names, and nothing else. Each is loaded when it is first used: the compiler and the mesh reader
cost nothing until something needs them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from firstcontact.errors import MeshFileError as MeshFileError
    from firstcontact.errors import MissingExtraError as MissingExtraError
    from firstcontact.io.load import load as load
    from firstcontact.queries.elementary import edge_edge_ccd as edge_edge_ccd
    from firstcontact.queries.elementary import vertex_face_ccd as vertex_face_ccd
    from firstcontact.queries.results import ElementaryContacts as ElementaryContacts
    from firstcontact.shapes.mesh import Mesh as Mesh
    from firstcontact.status import Status as Status

__version__ = "0.1.0"

__all__ = [
    "ElementaryContacts",
    "Mesh",
    "MeshFileError",
    "MissingExtraError",
    "Status",
    "__version__",
    "edge_edge_ccd",
    "load",
    "vertex_face_ccd",
]

_HOMES = {
    "ElementaryContacts": "firstcontact.queries.results",
    "Mesh": "firstcontact.shapes.mesh",
    "MeshFileError": "firstcontact.errors",
    "MissingExtraError": "firstcontact.errors",
    "Status": "firstcontact.status",
    "edge_edge_ccd": "firstcontact.queries.elementary",
    "load": "firstcontact.io.load",
    "vertex_face_ccd": "firstcontact.queries.elementary",
}


def __getattr__(name: str) -> Any:
    """Load a public name on its first use (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
