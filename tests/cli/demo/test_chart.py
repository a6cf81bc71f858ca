import xml.etree.ElementTree as ET

import numpy as np
import pytest

from firstcontact.cli.demo.chart import chart


@pytest.mark.parametrize("values", [[0, 0, 0], [1, 5, 2], [0, 99_999, 100_001]])
def test_a_chart_is_a_drawing_with_its_names(values):
    drawn = ET.fromstring(
        chart("counts", [("one", 0x4C78A8, np.array(values)), ("two", 0xC2B59B, np.zeros(3, int))])
    )
    words = [text.text for text in drawn.iter("text")]
    assert {"counts", "one", "two"} <= set(words)
    assert len(list(drawn.iter("path"))) == 3 + 2 * 2


def test_the_axis_ends_above_the_values():
    words = chart("counts", [("one", 0, np.array([7581, 20]))])
    assert ">8,000<" in words
    assert ">4,000<" in words
