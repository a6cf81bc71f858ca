"""All pairs of things within a distance: signed, with gradients."""

from typing import Any

from firstcontact._validate import as_length
from firstcontact.advancement.ask import Ask
from firstcontact.answers.near_results import NearPairs
from firstcontact.queries.look_up import answer_about


def near(
    a: Any, b: Any = None, *, within: float, self_contact: bool = False, tolerance: float | None = None
) -> NearPairs:
    """Which pairs are within a distance, how far apart or how deep in each other, and which way out?

    Complete. The distance is that of `distance`, closed meshes being solid; where two overlap it is minus the
    depth of `penetration`: above 0 nowhere where they touch, below 0 only there. What has no inside is at 0.

    Parameters
    ----------
    a, b : two things, or batches; or `robot.at(q)` and obstacles as for `is_free`. Moving, a `NearPaths`
    within : a length: pairs that are farther apart are left out
    self_contact : whether two links of a robot are pairs, but for those that may touch
    tolerance : over motions, how wide brackets may be; a hundredth of the smaller size unless given

    Examples
    --------
    >>> from firstcontact import Box, Mesh, Polygon, Sphere
    >>> table, ball = Box([4, 4, 2]), Sphere(0.5)
    >>> places = [[0, 0, 1.75], [0, 0, 1.25], [0, 0, 9]]
    >>> here = near(table, ball.at(([[1, 0, 0], [0, 1, 0], [0, 0, 1]], places)), within=1)
    >>> here.distance.tolist(), here.rows.tolist(), (here.gradient[1, 1, :3] + 0.0).tolist()
    ([0.25, -0.25], [0, 1], [0.0, 0.0, 1.0])
    >>> near(table, ball.moving([-5, 0, 1.25], [5, 0, 1.25]), within=1)
    NearPaths(1, the nearest -0.25)
    >>> near(ball, Mesh([], []), within=1), near(Polygon([]), Polygon([]), within=1)
    (NearPairs(0), NearPairs(0))
    """
    ask = Ask.checked(within=as_length("within", within), self_contact=self_contact, tolerance=tolerance)
    found: NearPairs = answer_about("near", a, b, ask)
    return found
