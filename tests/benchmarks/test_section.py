import json
import math

import numpy as np

from report.section import Headline, Part, plain


def test_plain_values_are_ready_for_json():
    found = Part(headlines=(Headline("a", 1.0, "b", math.nan),), figures={"x": np.arange(2), 3: math.inf})
    kept = plain(found)
    assert json.loads(json.dumps(kept, allow_nan=False)) == kept
    assert kept["headlines"] == [{"what": "a", "own": 1.0, "peer": "b", "theirs": None, "note": ""}]
    assert kept["figures"] == {"x": [0, 1], "3": None}


def test_plain_numbers_of_numpy_are_numbers():
    assert plain([np.float64(0.5), np.int64(2), np.bool_(True), "a", None]) == [0.5, 2, True, "a", None]
