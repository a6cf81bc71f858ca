import ast
import pickle
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import firstcontact as fc
from firstcontact.errors import MissingExtraError


def test_every_public_name_is_there():
    for name, home in fc._HOMES.items():
        assert getattr(fc, name) is getattr(import_module(home), name)
    assert set(fc.__all__) == {*fc._HOMES, "__version__"}
    assert set(dir(fc)) == set(fc.__all__)


def test_the_names_that_type_checkers_see_are_the_names_that_run():
    tree = ast.parse(Path(fc.__file__).read_text(encoding="utf-8"))
    seen = {
        alias.asname: node.module
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname == alias.name
    }
    assert seen == fc._HOMES


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'firstcontact' has no attribute 'last_contact'"):
        _ = fc.last_contact


def test_importing_the_package_loads_nothing_heavy():
    script = "import sys, firstcontact; print({'numpy', 'numba', 'trimesh', 'tqdm'} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "set()"


def test_a_missing_extra_says_what_to_install():
    error = MissingExtraError.of("matplotlib", "view")
    assert "pip install 'firstcontact[view]'" in str(error)
    assert error.name == "matplotlib"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
