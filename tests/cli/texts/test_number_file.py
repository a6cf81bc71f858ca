import pytest

from firstcontact.cli.command_error import CommandError
from firstcontact.cli.options.option_values import as_number
from firstcontact.cli.texts.number_file import read_number_file


@pytest.fixture
def cells(tmp_path):
    def read(text):
        file = tmp_path / "numbers.csv"
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return read_number_file(file)

    return read


@pytest.mark.parametrize(
    "text",
    ["a,b\n1,2", "a;b\n1;2", "a b\n1 2", " a\t b \n\n  1   2\n", "a , b\r\n1,2\r\n", "\ufeff\"a\", 'b'\n1,2"],
)
def test_cells_are_separated_in_many_ways(cells, text):
    assert [row.cells for row in cells(text).rows] == [["a", "b"], ["1", "2"]]


def test_a_semicolon_goes_before_a_comma(cells):
    assert cells("0,5;1").rows[0].cells == ["0,5", "1"]


def test_comments_and_empty_lines_are_left_out_and_counted(cells):
    numbers = cells("# one; more\n\n# a, b\n\n1,2  # so\n   # 7,7\n3,4")
    assert [(row.line, row.cells) for row in numbers.rows] == [(5, ["1", "2"]), (7, ["3", "4"])]
    assert numbers.remark == (3, ["a", "b"])


def test_marks_in_comments_separate_nothing(cells):
    assert cells("1,2 # all; in metres").rows[0].cells == ["1", "2"]


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing"])
def test_a_sheet_may_be_empty(cells, text):
    assert cells(text).rows == []


def test_what_cannot_be_read_is_told(cells, tmp_path):
    with pytest.raises(CommandError, match=r"numbers\.csv is not a text file"):
        cells(b"\xff\xfe\x00\x81")
    for path in (tmp_path / "gone.csv", tmp_path):
        with pytest.raises(CommandError, match="there is no file"):
            read_number_file(path)


@pytest.mark.parametrize("cell", ["", "x", "1,5", "nan", "inf", "-1e999", "1_0", "0x10"])
def test_some_cells_are_no_numbers(cell):
    assert as_number(cell) is None


@pytest.mark.parametrize(("cell", "number"), [("1", 1.0), ("-.5", -0.5), ("1e-3", 0.001), ("+2.", 2.0)])
def test_others_are(cell, number):
    assert as_number(cell) == number
