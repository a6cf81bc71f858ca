"""Neighbours along a strand."""

import numpy as np

import firstcontact as fc


def test_neighbours_along_a_strand_are_no_contacts_but_a_loop_is():
    t = np.linspace(0, 2 * np.pi, 41)[:-1]
    ring = np.stack([np.cos(t), np.sin(t), 0 * t], axis=1)
    loop = fc.Strands(ring, [40], 0.2)  # its ends are nearer to each other than two radii
    found = fc.contacts(loop.deforming(ring, ring))
    assert len(found) > 0
    along = np.abs(found.ids_a - found.ids_b)
    assert along.min() > 2
    straight = np.stack([t, 0 * t, 0 * t], axis=1)
    rod = fc.Strands(straight, [40], 0.2)
    assert len(fc.contacts(rod.deforming(straight, straight))) == 0
