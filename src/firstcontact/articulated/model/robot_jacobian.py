"""What a robot says of how its links move with the numbers of its configuration."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from firstcontact._validate import as_stack
from firstcontact.arrays import Array
from firstcontact.articulated.model.jacobians import Twists, frame_twists, point_velocities
from firstcontact.articulated.paths.frame_rows import frame_poses

if TYPE_CHECKING:
    from firstcontact.articulated.model.robot import Robot


class RobotJacobian:
    """The part of a robot that says how its links move."""

    def jacobian(
        self: "Robot | Any", q: ArrayLike, link: str, point: ArrayLike = (0.0, 0.0, 0.0), *, base: Any = None
    ) -> Array:
        """How a point of a link, and the link itself, move with each number of a configuration.

        Exact but for rounding. Of a quaternion, whose length does not matter, with its four numbers where it
        has unit length.

        Parameters
        ----------
        q : (dof,), or a batch (n, dof)
        link : its name
        point : (3,) in the link's frame
        base : where the robot's root stands, as for `at`

        Returns
        -------
        (6, dof), or (n, 6, dof): the velocity of the point and the angular velocity, in the world

        Examples
        --------
        >>> from firstcontact import Joint, Robot
        >>> robot = Robot({"base": (), "arm": ()}, [Joint("turn", "revolute", "base", "arm", axis=[0, 0, 1])])
        >>> robot.jacobian([0.0], "arm", [2, 0, 0])[:, 0].tolist()
        [0.0, 2.0, 0.0, 0.0, 0.0, 1.0]
        >>> robot.jacobian([[0.0], [1.0]], "base").any()
        np.False_
        """
        self._check_link(link)
        own = as_stack("point", point, (3,))[0]
        if len(own) != 1 or np.ndim(point) != 1:
            raise ValueError(f"point must be one, of shape (3,); received {len(own)}")
        motion = self._based(self._through(("q", q)), base)
        tree, n = self.tree_on(motion), len(motion)
        frames = frame_poses(tree, motion)
        frame = tree.link_frames[link]
        found = np.zeros((n, 6, tree.dof))
        if frame >= 0:
            local = tree.link_offsets[link][:3, :3] @ own[0] + tree.link_offsets[link][:3, 3]
            places = frames[:, frame, :3, :3] @ local + frames[:, frame, :3, 3]
            twists: Twists = frame_twists(tree, frames, motion.configurations[:, 0])[frame]
            found[:, :3] = np.swapaxes(point_velocities(twists, np.arange(n), places), 1, 2)
            found[:, 3:] = np.swapaxes(twists.spins, 1, 2)
        return found if motion.is_batch else found[0]
