"""Files made on the spot: what they load as, and why they do not."""

from collections.abc import Callable

import pytest

import firstcontact as fc


@pytest.fixture
def loaded(tmp_path) -> Callable[[str, str | bytes], fc.Mesh]:
    """Write a file and load it."""

    def write_and_load(name: str, content: str | bytes) -> fc.Mesh:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return fc.load(path)

    return write_and_load


@pytest.fixture
def refused(loaded) -> Callable[[str, str | bytes], str]:
    """Write a file that must not load, and give the one sentence about it, without its name."""

    def write_and_refuse(name: str, content: str | bytes) -> str:
        with pytest.raises(fc.MeshFileError) as caught:
            loaded(name, content)
        sentence = str(caught.value)
        assert "\n" not in sentence
        assert caught.value.__cause__ is None
        _, mark, rest = sentence.partition(f"{name} ")
        assert mark
        return rest.removeprefix("cannot be read: ")

    return write_and_refuse
