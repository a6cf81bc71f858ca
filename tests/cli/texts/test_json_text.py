import json
import math

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.cli.texts.json_text import json_text


def test_json_is_strict():
    document = {
        "numbers": np.array([1.0, np.inf, np.nan]),
        "status": fc.Status.CONTACT_AT_START,
        "nested": [(math.inf, -math.inf), {1: np.int8(3)}],
        "flag": np.True_,
    }
    text = json_text(document)
    assert json.loads(text, parse_constant=pytest.fail) == {
        "numbers": [1.0, None, None],
        "status": "contact-at-start",
        "nested": [[None, None], {"1": 3}],
        "flag": True,
    }
    assert "\n" not in text
