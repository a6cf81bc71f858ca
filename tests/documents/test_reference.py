"""The reference has every public name, and says of each what its docstring says."""

import sys
from importlib import import_module

import pytest

import firstcontact as fc
from documents.blocks import ROOT

DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def reference():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(DOCS / "hooks"), *sys.path])
        yield import_module("reference")


@pytest.fixture(scope="module")
def known(reference):
    return reference.places(DOCS)


def test_every_public_name_has_its_place(known):
    assert {name for name in known if "." not in name} == set(fc.__all__) - {"__version__"}


def test_all_pages_can_be_written(reference, known):
    for page in sorted((DOCS / "reference").glob("*.md")):
        text = reference.written(page.read_text(encoding="utf-8"), f"reference/{page.name}", known)
        assert ":::" not in text


def test_a_function_has_its_signature_parameters_and_examples(reference, known):
    text = reference.section("safe_step", known)
    assert "    min_separation: float = 0.0,\n" in text
    assert ") -> float\n```" in text
    assert (
        "`exact`, `culling`, `assume_free_start`, `self_contact`, `progress`\n:   as for `first_contact`"
        in text
    )
    assert "safe_step(leaf, floor)\n# (0.25, 0.125, 1.0)\n```" in text
    assert ">>>" not in text


def test_names_are_links(reference, known):
    linked = reference.linked(
        "`Shape.moving`, `Robot.moving`, `a`\n```\n`Mesh`\n```", "reference/robots.md", known
    )
    assert (
        linked
        == "[`Shape.moving`](motion.md#Mesh.moving), [`Robot.moving`](#Robot.moving), `a`\n```\n`Mesh`\n```"
    )


def test_a_class_shows_what_is_its_own(reference, known):
    text = reference.section("Capsule", known)
    assert "Capsule(radius: float, length: float)" in text
    assert "`bounds`\n:   " in text
    assert "Capsule.moving" not in text  # told once, of all shapes
    assert "`table`" not in text


def test_a_dataclass_shows_its_fields_and_an_enumeration_its_members(reference, known):
    assert "Culling(\n    *,\n    dop: int = 16,\n" in reference.section("Culling", known)
    assert "`CONTACT`\n:   a contact in the interval" in reference.section("Status", known)
    assert "`EDGE_EDGE` 1" in reference.section("ContactKind", known)
