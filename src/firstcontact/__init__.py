"""When do moving things first touch? Continuous collision detection with guarantees.

The public names, and nothing else. Each is loaded when it is first used: the compiler and the mesh reader
cost nothing until something needs them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from firstcontact.deformable.culling import Culling as Culling
    from firstcontact.errors import MeshFileError as MeshFileError
    from firstcontact.errors import MissingExtraError as MissingExtraError
    from firstcontact.io.load import load as load
    from firstcontact.queries.contact_results import ContactKind as ContactKind
    from firstcontact.queries.contact_results import Contacts as Contacts
    from firstcontact.queries.contact_results import ContactStats as ContactStats
    from firstcontact.queries.contact_results import FirstContact as FirstContact
    from firstcontact.queries.contacts import contacts as contacts
    from firstcontact.queries.contacts import first_contact as first_contact
    from firstcontact.queries.contacts import safe_step as safe_step
    from firstcontact.queries.elementary import edge_edge_ccd as edge_edge_ccd
    from firstcontact.queries.elementary import vertex_face_ccd as vertex_face_ccd
    from firstcontact.queries.results import ElementaryContacts as ElementaryContacts
    from firstcontact.shapes.mesh import Mesh as Mesh
    from firstcontact.shapes.moving import Moving as Moving
    from firstcontact.status import Status as Status

__version__ = "0.1.0"

__all__ = [
    "ContactKind",
    "ContactStats",
    "Contacts",
    "Culling",
    "ElementaryContacts",
    "FirstContact",
    "Mesh",
    "MeshFileError",
    "MissingExtraError",
    "Moving",
    "Status",
    "__version__",
    "contacts",
    "edge_edge_ccd",
    "first_contact",
    "load",
    "safe_step",
    "vertex_face_ccd",
]

_HOMES = {
    "ContactKind": "firstcontact.queries.contact_results",
    "ContactStats": "firstcontact.queries.contact_results",
    "Contacts": "firstcontact.queries.contact_results",
    "Culling": "firstcontact.deformable.culling",
    "ElementaryContacts": "firstcontact.queries.results",
    "FirstContact": "firstcontact.queries.contact_results",
    "Mesh": "firstcontact.shapes.mesh",
    "MeshFileError": "firstcontact.errors",
    "MissingExtraError": "firstcontact.errors",
    "Moving": "firstcontact.shapes.moving",
    "Status": "firstcontact.status",
    "contacts": "firstcontact.queries.contacts",
    "edge_edge_ccd": "firstcontact.queries.elementary",
    "first_contact": "firstcontact.queries.contacts",
    "load": "firstcontact.io.load",
    "safe_step": "firstcontact.queries.contacts",
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
