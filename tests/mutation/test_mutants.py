"""The mutants are still there to be made; `make test-mutations` runs them."""

import ast

import pytest

from mutation.mutants import MUTANTS, Mutant
from mutation.mutate import PACKAGE, ROOT, mutated

SOURCE = "def f(x, y):\n    return x < y or x < y\n\n\ndef g(x, y):\n    return x < y\n"


def changed(function, old, new):
    return mutated(SOURCE, Mutant("f.py", function, old, new, ""))


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_differs_from_the_source_in_its_function_only(mutant):
    source = (PACKAGE / mutant.file).read_text(encoding="utf-8")
    before, after = ast.unparse(ast.parse(source)).splitlines(), mutated(source, mutant).splitlines()
    assert len(before) == len(after)
    assert sum(x != y for x, y in zip(before, after, strict=True)) == 1
    assert (ROOT / "tests" / mutant.tests).is_file()


def test_twenty_kernels_and_more_over_all_rooms():
    assert len({(mutant.file, mutant.function) for mutant in MUTANTS}) >= 40
    assert len({mutant.file.split("/")[0] for mutant in MUTANTS}) >= 11


def test_the_first_expression_of_the_function_is_changed():
    assert changed("g", "x<y", "x > y") == SOURCE.replace("return x < y\n", "return x > y\n").replace(
        "\n\n\n", "\n\n"
    ).rstrip("\n").replace("or x > y", "or x < y")
    assert "return x > y or x < y" in changed("f", "x < y", "x > y")


def test_what_is_not_there_cannot_be_changed():
    with pytest.raises(ValueError, match=r"f\.py has no function h"):
        changed("h", "x < y", "x > y")
    with pytest.raises(ValueError, match=r"f in f\.py has no expression x \+ y"):
        changed("f", "x + y", "x - y")
