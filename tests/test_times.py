"""Times in a few digits are never late."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import firstcontact as fc
from firstcontact.times import rounded_down, time_text

TIMES = st.floats(0.0, 1.0)


@given(TIMES)
def test_they_are_rounded_down_by_less_than_a_unit(time):
    shown = rounded_down(time, 6)
    assert shown <= time < shown + 1.0001e-6
    assert len(f"{shown:.6f}") == 8


@given(TIMES)
def test_the_text_is_no_later_and_has_six_digits(time):
    text = time_text(time)
    assert float(text) <= time
    assert float(text) >= time * (1.0 - 1.0001e-5)
    assert text == f"{float(text):.6g}"


@pytest.mark.parametrize("time", [0.0, 1.0, 0.5, 0.29, 0.1, 0.3, 0.7, 0.123456, 1e-7, 5e-324])
def test_what_needs_no_more_digits_stays(time):
    assert float(time_text(time)) == time
    if time >= 1e-6 or time == 0.0:
        assert rounded_down(time, 6) == time


def test_a_number_below_one_with_few_digits_is_not_rounded_up_to_it():
    below = math.nextafter(0.3, 0.0)
    assert time_text(below) == "0.299999"
    assert rounded_down(below, 6) == 0.299999
    assert time_text(math.inf) == "inf"


def test_what_answers_say_of_themselves_is_not_late():
    scene = fc.Scene(ball=fc.Sphere(0.5), rest=fc.Sphere(0.5))
    first, every = scene.first_contact(), scene.contacts()
    early = 0.19999996  # which six digits round up
    assert repr(replace(first, contact=replace(first.contact, time=early))) == (
        "SceneContact('ball', 'rest', 0.199999)"
    )
    assert repr(replace(every, time=np.array([early]))) == "SceneContacts(1, first at 0.199999)"
    cube = fc.Box([1, 1, 1]).mesh
    contacts = fc.contacts(cube, cube)
    times = np.full(len(contacts), early)
    assert repr(replace(contacts, time=times)).endswith(", first at 0.199999)")
    touch = fc.RobotContact(a="arm", b="ball", status=fc.Status.CONTACT, time=early)
    assert repr(touch) == "RobotContact('arm', 'ball', 0.199999)"
