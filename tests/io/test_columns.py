import io

import numpy as np
import pytest

from firstcontact.io.columns import read_npy, read_text

POINTS = np.array([[0.5, -1, 2e-3], [3, 4, 5]])


def written(path, content):
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    "text",
    [
        b"0.5 -1 2e-3\n3 4 5\n",
        b"\xef\xbb\xbf# a scan\r\n0.5\t-1\t.002\r\n\r\n3 4 5",
        b"0.5, -1, 0.002, 255\n3,4,5,0\n",
        b"0.5;-1;0.002\n3;4;5\n",
        b"x y z\n0.5 -1 0.002\n3 4 5\n",
        b'"i","Z","Y","X"\nhigh,0.002,-1,0.5\nlow,5,4,3\n',
    ],
)
def test_columns_of_text(tmp_path, text):
    np.testing.assert_array_equal(read_text(written(tmp_path / "a.csv", text)), POINTS)


def test_nothing_is_no_point(tmp_path):
    for text in (b"", b"\n \n# nothing\n", b"x,y,z\n"):
        assert read_text(written(tmp_path / "a.xyz", text)).shape == (0, 3)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"1 2\n", "line 1 must have as many columns as all, 3 or more; it has 2"),
        (b"1 2 3\n\n4 5\n", "line 3 must have as many columns as all, 3 or more; it has 2"),
        (b"1 2 3\n4 5 6 7\n", "line 2 must have as many columns as all, 3 or more; it has 4"),
        (b"1 2 nan\n", "line 1 cannot be read: 1 2 nan"),
        (b"1 2 inf\n", "line 1 cannot be read"),
        (b"1,,3\n", "line 1 cannot be read"),
        (b"1,5 2,5 3,5\n", "line 1 cannot be read"),
        (b"1,5;2,5;3,5\n", "line 1 cannot be read"),
        (b"a b c\n1 2 3\n", "line 1 is neither numbers nor names with x, y and z: a b c"),
        (b"x,x,y,z\n1,2,3,4\n", "line 1 is neither numbers nor names"),
        (b"2\nwater\nO 0 0 0\nH 0 0 1\n", "line 1 must have as many columns"),
        (b"x,y,z\n1,2\n", "line 2 must have as many columns"),
        (bytes(range(128, 200)) * 3, "line 1 "),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path, text, reason):
    with pytest.raises(ValueError, match=reason):
        read_text(written(tmp_path / "a.txt", text))


def npy(array):
    held = io.BytesIO()
    np.save(held, array)
    return held.getvalue()


@pytest.mark.parametrize("kind", ["f8", ">f4", "i2", "u1"])
def test_arrays(tmp_path, kind):
    array = np.arange(8).reshape(2, 4).astype(kind)
    found = read_npy(written(tmp_path / "a.npy", npy(array)))
    assert found.dtype == np.float64
    assert found.tolist() == [[0, 1, 2], [4, 5, 6]]
    for column_first in (np.asfortranarray(array), array[:0]):
        read = read_npy(written(tmp_path / "a.npy", npy(column_first)))
        np.testing.assert_array_equal(read, column_first[:, :3])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "it is no array as numpy.save writes it"),
        (b"PK\x03\x04 zipped", "it is no array as numpy.save writes it"),
        (npy(POINTS)[:-3], "."),
        (npy(POINTS)[:20], "."),
        (npy(POINTS) + b"abc", "it has 3 bytes more than its array"),
        (npy(POINTS[0]), r"it must hold real numbers \(n, 3\) or wider; it has float64 \(3,\)"),
        (npy(POINTS[:, :2]), r"it must hold real numbers"),
        (npy(POINTS.astype(complex)), "it must hold real numbers"),
        (npy(POINTS > 0), "it must hold real numbers"),
        (npy(np.array([["a", "b", "c"]])), "it must hold real numbers"),
    ],
)
def test_what_is_no_array_of_points(tmp_path, content, reason):
    with pytest.raises(ValueError, match=reason):
        read_npy(written(tmp_path / "a.npy", content))
