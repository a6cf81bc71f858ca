from firstcontact.cli.texts.table import lined_up, point, table


def test_tables_are_aligned():
    assert table([("a", "10"), ("long", "7")]) == "a     10\nlong   7"
    assert lined_up([("a", "b c"), ("long", "d")]) == "a     b c\nlong  d"


def test_places_are_short_and_without_noise():
    assert point([1.23456789, -0.0, 6e-18]) == "1.235, 0, 0"
    assert point([6e-18, 3e-18, 0.0]) == "6e-18, 3e-18, 0"
