"""The pairs of the paper of 2009 (C²A) with their motions, and what was published of them."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

import firstcontact as fc
from deformable.surfaces import Points
from rigid.models import Model, cad_piece, club, gear, hammer, organic_body, torus_knot
from rigid.motions import Flags, Motions, falling_motions, random_motions, size

CLUB, KNOT, FALLING = "club", "torus knot", "falling body"


class Published(NamedTuple):
    """Milliseconds a query: colliding, free and all motions, and all of them without control."""

    colliding: float
    free: float
    all: float = float("nan")
    uncontrolled: float = float("nan")


# Table I of the paper, on a processor of 2008; in its motions of the club, all collide.
PAPER = {
    CLUB: Published(3.6, float("nan"), 3.6, 14.97),
    "gear": Published(2.96, 0.0048, 1.98, 55.49),
    "hammer, CAD piece": Published(2.82, 0.0052, 1.89, 7.68),
    "organic body": Published(4.11, 0.048, 2.77, 8.64),
    FALLING: Published(5.54, 0.11, 0.22, 0.41),
    KNOT: Published(2.81, 0.41, 2.01, 6.8),
}
# The authors' C++ code with full optimisation on a recent processor, on models and motions of this kind.
AUTHORS_CODE = {
    CLUB: Published(6.4, 3.8),
    "gear": Published(5.9, 3.3),
    "hammer, CAD piece": Published(1.8, 0.56),
    "organic body": Published(10.5, 3.6),
    FALLING: Published(3.9, 0.05),
    KNOT: Published(6.1, 3.4),
}
AUTHORS_GAP = 1e-4  # distance at the time that it reports, relative to the size of the body
AUTHORS_LATE = "30 of 818"

_MODELS: dict[str, tuple[Callable[[], Model], ...]] = {
    CLUB: (club,),
    "gear": (gear,),
    "hammer, CAD piece": (hammer, cad_piece),
    "organic body": (organic_body,),
    FALLING: (lambda: organic_body(26_400),),
    KNOT: (torus_knot,),
}
NAMES = tuple(_MODELS)


class Case(NamedTuple):
    """Two models, as arrays and as meshes, and the motions of A."""

    name: str
    a: Model
    b: Model
    meshes: tuple[fc.Mesh, fc.Mesh]
    motions: Motions
    tolerance: float

    @property
    def n_triangles(self) -> str:
        """Of both models, or of each where they are alike."""
        counts = dict.fromkeys(f"{len(model[1]) / 1000:.1f}K" for model in (self.a, self.b))
        return ", ".join(counts)


def case(name: str, n_motions: int, gap: float) -> Case:
    """The pair of this name; random motions, or many small steps of a body that falls."""
    models = [make() for make in _MODELS[name]]
    a, b = models[0], models[-1]
    rng = np.random.default_rng([2009, NAMES.index(name)])
    return with_motions(name, a, b, gap, n_motions, rng)


def with_motions(name: str, a: Model, b: Model, gap: float, n: int, rng: np.random.Generator) -> Case:
    """Motions of A against B that the library itself finds to collide or to be free."""
    meshes, tolerance = (fc.Mesh(*a), fc.Mesh(*b)), gap * size(a)

    def is_colliding(starts: Points, ends: Points) -> Flags:
        found = fc.first_contacts(meshes[0].moving(starts, ends), meshes[1], tolerance=tolerance)
        return found.status != fc.Status.SEPARATED

    def is_touching(poses: Points) -> Flags:
        return fc.distance(meshes[0].at(poses), meshes[1]).distance <= tolerance

    if name == FALLING:
        motions = falling_motions(rng, a, b, 5 * n, is_colliding)
    else:
        motions = random_motions(rng, a, b, n, is_colliding, is_touching)
    return Case(name, a, b, meshes, motions, tolerance)
