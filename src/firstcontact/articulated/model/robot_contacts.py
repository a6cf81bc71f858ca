"""What a robot says of its contacts: what may touch what, and what counts as touching."""

from itertools import combinations
from typing import TYPE_CHECKING, Any

from firstcontact._validate import as_count
from firstcontact.articulated.model.contact_rules import (
    ContactRules,
    Pair,
    as_padding,
    padding_keys,
    pairs_named,
)
from firstcontact.plain import once

if TYPE_CHECKING:
    from firstcontact.articulated.model.robot import Robot


class RobotContacts:
    """The part of a robot that says which contacts count. What it is asked for gives another robot."""

    _allowed: frozenset[Pair]
    _rules: ContactRules

    @property
    def allowed_pairs(self) -> frozenset[Pair]:
        """Pairs of links that may touch each other, besides those that a joint joins."""
        return self._allowed

    @property
    def allowed_obstacles(self) -> frozenset[tuple[str, str]]:
        """Pairs of a link and the name of an obstacle that may touch each other."""
        return self._rules.allowed

    @property
    def paddings(self) -> dict[Pair, float]:
        """Lengths by the names of links, obstacles and pairs: how much nearer they count as being."""
        return dict(self._rules.paddings)

    @property
    def rules(self) -> ContactRules:
        """All that is said of obstacles, and of paddings."""
        return self._rules

    @once
    def self_pairs(self: "Robot") -> tuple[tuple[str, str], ...]:
        """Pairs of links with shapes that can touch: not of one rigid body, not joined, not allowed."""
        joined = self._allowed | {frozenset((joint.parent, joint.child)) for joint in self.joints}
        frames, with_shapes = self.tree.link_frames, {part.link for part in self.parts}
        links = [link for link in self.link_names if link in with_shapes]
        return tuple(
            (a, b)
            for a, b in combinations(links, 2)
            if frames[a] != frames[b] and frozenset((a, b)) not in joined
        )

    def allow(self: "Robot", a: Any, b: Any) -> "Robot":  # type: ignore[misc]
        """Return a robot of which some pairs may touch: of links, or of a link and an obstacle.

        Queries leave such pairs out, and so do certificates.

        Parameters
        ----------
        a, b : names; of a link, of a group of joints, for all links that these move, of an obstacle, which
            need not be there yet, or several. What is no link and no group is an obstacle. A part of one
            goes by "obstacle/part": a link of another robot, the number of a part of a compound

        Examples
        --------
        >>> import numpy as np
        >>> from firstcontact import Box, Joint, Robot, Sphere, is_free
        >>> slide = Joint("slide", "prismatic", "base", "cart", axis=[1, 0, 0])
        >>> robot = Robot({"base": Box([1, 1, 1]), "cart": Sphere(0.1)}, [slide])
        >>> table = {"table": Box([1, 1, 1]).at((np.eye(3), [0, 0, -0.9]))}
        >>> path = [2.0], [3.0]
        >>> is_free(robot.moving(*path), table), is_free(robot.allow("base", "table").moving(*path), table)
        (False, True)
        >>> robot.allow("table", "floor")
        Traceback (most recent call last):
        ValueError: one of a pair must be a link; 'floor' and 'table' are none
        """
        among, beside = pairs_named(self, a, b)
        rules = self._rules._replace(allowed=self._rules.allowed | beside)
        return self._with({}, [], among, rules)

    def pad(self: "Robot", a: Any, b: Any = None, *, by: float) -> "Robot":  # type: ignore[misc]
        """Return a robot of which links, obstacles or pairs count as nearer than they are, by a length.

        A padded thing is in contact that much earlier, as if it were that much thicker all around, and what
        is said of distances is less by that. Two things' paddings add up, also those of two links; what is
        said of the pair counts in the place of that. What was said before of the same name is forgotten.

        Parameters
        ----------
        a, b : names, as for `allow`; b only for pairs
        by : a length, 0 for none

        Examples
        --------
        >>> from firstcontact import Joint, Robot, Sphere, distance
        >>> slide = Joint("slide", "prismatic", "base", "cart", axis=[1, 0, 0])
        >>> robot = Robot({"base": (), "cart": Sphere(1)}, [slide])
        >>> distance(robot.pad("cart", by=0.5).at([4]), Sphere(1)).distance
        1.5
        >>> robot.pad("cart", by=-1)
        Traceback (most recent call last):
        ValueError: by must be a finite number at least 0; received -1
        """
        keys = padding_keys(self, a, b)
        return self._with({}, [], set(), self._rules.padded(keys, as_padding(by)))

    def learn_allowed_pairs(self: "Robot", n_samples: int = 1000, seed: int = 0) -> "Robot":  # type: ignore[misc]
        """Return a robot whose links may touch where they always do: in each of some random configurations.

        Links that overlap by design, as neighbours of neighbours often do, need not be named then. Only such
        pairs are allowed: those that no sample shows in contact are still checked. Paddings do not count.

        Parameters
        ----------
        n_samples : how many, as `sample` gives them
        seed : of the random numbers
        """
        from firstcontact.articulated.model.always_touching import touching_always

        pairs = touching_always(self, as_count("n_samples", n_samples), seed)
        return self._with({}, [], {frozenset(pair) for pair in pairs})
