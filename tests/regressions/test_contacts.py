"""Scenes that once went wrong."""

import numpy as np

import firstcontact as fc
from properties.meshes import generate, grid, moving_scene

FLOOR = fc.Mesh([[-99, -99, 0], [99, -99, 0], [0, 199, 0]], [[0, 1, 2]])


def test_many_contacts_at_once_are_bracketed_by_neighbouring_doubles():
    vertices, faces = grid(12, 12)
    sheet = fc.Mesh(vertices, faces).deforming(vertices - [0, 0, -1], vertices - [0, 0, 2])
    first = fc.first_contact(sheet, FLOOR)
    assert len(first.features) == 169
    assert first.time <= 1 / 3 <= first.time_upper <= np.nextafter(first.time, 1.0)
    assert fc.safe_step(sheet, FLOOR) == first.time


def test_simultaneous_contacts_of_two_bodies_are_sorted_by_kind():
    contacts = fc.contacts(*moving_scene(generate("boxes on a lattice", 60)))
    columns = (contacts.ids_b, contacts.ids_a, contacts.kind, contacts.time)
    np.testing.assert_array_equal(np.lexsort(columns), np.arange(len(contacts)))
