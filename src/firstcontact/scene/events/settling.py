"""Bodies of a scene brought to where its queue of events has them."""

import numpy as np

from firstcontact.motions.rigid_motion import (
    AXIS,
    BASE_TIME,
    CENTER,
    DEVIATION,
    END_TIME,
    N_COLUMNS,
    POSITION,
    RATE,
    ROTATION,
    START_TIME,
    VELOCITY,
)
from firstcontact.scene.bodies import Bodies
from firstcontact.scene.events.changes import poses_into
from firstcontact.scene.events.event_queue import EventQueue
from firstcontact.scene.events.event_table import ACCELERATION, BALL


def settle(bodies: Bodies, queue: EventQueue, time: float) -> None:
    """Give all bodies motions that begin at a time, as the queue has them then."""
    motions = queue.motions
    rows = np.flatnonzero(bodies.columns.is_there[: bodies.n_rows])
    places = np.empty((len(motions), 18))
    poses_into(queue.table, time, places)
    is_thrown = motions[rows, ACCELERATION:BALL].any(axis=1)
    thrown, plain = rows[is_thrown], rows[~is_thrown]
    pieces = motions[:, :N_COLUMNS].copy()
    pieces[:, ROTATION:POSITION], pieces[:, POSITION:VELOCITY] = places[:, :9], places[:, 12:15]
    pieces[:, VELOCITY:AXIS] = places[:, 15:]
    pieces[:, BASE_TIME], pieces[:, START_TIME], pieces[:, DEVIATION] = 0.0, 0.0, 0.0
    pieces[:, END_TIME] = 1.0
    bodies.move(plain, pieces[plain], places[plain, 9:12])
    things = {}
    for row in thrown.tolist():
        things[bodies.names[row]] = bodies.shapes[row].moving(
            (places[row, :9].reshape(3, 3), places[row, 9:12]),
            velocity=places[row, 15:],
            angular_velocity=motions[row, RATE] * motions[row, AXIS:RATE],
            acceleration=motions[row, ACCELERATION:BALL],
            center=motions[row, CENTER:END_TIME],
        )
    bodies.update(things)
