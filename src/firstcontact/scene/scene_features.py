"""All contacts of the features of a scene's meshes, searched as one problem."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import MOST_LISTED
from firstcontact.answers.contact_results import Contacts
from firstcontact.plain import Plain
from firstcontact.queries.contacts import contacts
from firstcontact.scene.bodies import Bodies
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving


@dataclass(frozen=True, eq=False)
class SceneFeatureContacts(Plain):
    """All contacts of the features of a scene's meshes.

    Attributes
    ----------
    contacts : Contacts
        Features, times, points, gaps: `thing_ids` are places in `bodies`.
    bodies : names of the meshes that were asked about, in the order of their arrival
    ids : (n, 2) int64
        The ids of both bodies of each contact.
    others : names of the bodies that are no meshes, and were not asked about
    """

    contacts: Contacts
    bodies: list[str]
    ids: NDArray[np.int64]
    others: list[str]

    @property
    def names(self) -> list[tuple[str, str]]:
        """Names of both bodies of each contact; twice the same where a body touches itself."""
        return [(self.bodies[i], self.bodies[j]) for i, j in self.contacts.thing_ids.tolist()]

    def __len__(self) -> int:
        return len(self.contacts)

    def __repr__(self) -> str:
        return f"SceneFeatureContacts({len(self)} of {len(self.bodies)} meshes)"


class WithFeatures:
    """What a scene has for the features of its meshes."""

    _now: Callable[[Callable[[Bodies], Any]], Any]
    _filters: Any

    def feature_contacts(
        self,
        *,
        min_separation: float = 0.0,
        tolerance: float | None = None,
        assume_free_start: bool = False,
        max_contacts: int = MOST_LISTED,
    ) -> SceneFeatureContacts:
        """Every contact of the features of all meshes: each vertex with a face, each edge with an edge.

        Where `contacts` tells the first contact of each pair of bodies, of any kind, this tells all of them,
        of meshes alone, that deform or move rigidly: with each other, and what deforms with itself. They are
        one problem, as for a list in `firstcontact.contacts`, with its guarantee, without what is ignored.

        Parameters
        ----------
        min_separation, assume_free_start, max_contacts : as for `firstcontact.contacts`
        tolerance : of meshes that move rigidly

        Examples
        --------
        >>> from firstcontact import Scene
        >>> leaf = Mesh([[0, 0, 1], [1, 0, 2], [0, 1, 2]], [[0, 1, 2]])
        >>> floor = Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
        >>> scene = Scene(floor=floor, leaf=leaf.deforming(leaf.vertices, leaf.vertices - [0, 0, 4]))
        >>> found = scene.feature_contacts()
        >>> found, found.names[0], found.contacts.time.round(6).tolist()
        (SceneFeatureContacts(3 of 2 meshes), ('floor', 'leaf'), [0.25, 0.5, 0.5])
        >>> Scene().feature_contacts()
        SceneFeatureContacts(0 of 0 meshes)
        """
        things, ids, filters = self._now(
            lambda bodies: (bodies.things(), bodies.ids(), self._filters.snapshot())
        )
        listed = {name: thing for name, thing in things.items() if _has_features(thing)}
        own_ids = ids[np.array([name in listed for name in things], bool)]
        options: dict[str, Any] = {} if tolerance is None else {"tolerance": tolerance}
        found = contacts(
            list(listed.values()) or [Mesh([], [])],
            self_contact=True,
            min_separation=min_separation,
            assume_free_start=assume_free_start,
            max_contacts=max_contacts,
            **options,
        )
        pairs = own_ids[found.thing_ids] if len(found) else np.empty((0, 2), np.int64)
        others = [name for name in things if name not in listed]
        kept = filters.is_kept(pairs[:, 0], pairs[:, 1])
        if not kept.all():
            found, pairs = _taken(found, kept), pairs[kept]
        return SceneFeatureContacts(found, list(listed), pairs, others)


def _has_features(thing: Moving) -> bool:
    """Is a body a mesh, whose features a list can ask about?"""
    return thing.kind in (Kind.MESH, Kind.DEFORMING) and not thing.surface.is_cloud


def _taken(found: Contacts, kept: NDArray[np.bool_]) -> Contacts:
    """Some of the contacts."""
    columns = {item.name: getattr(found, item.name) for item in fields(found)}
    taken: dict[str, Any] = {k: v[kept] for k, v in columns.items() if isinstance(v, np.ndarray)}
    return replace(found, **taken)
