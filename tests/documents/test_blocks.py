from documents.blocks import Block, Command, blocks, commands


def test_blocks_are_found_with_their_lines():
    found = blocks("a\n```python\nx = 1\n```\n```bash\nls\n```\n")
    assert found == [Block("python", "x = 1\n", 2, None), Block("bash", "ls\n", 5, None)]


def test_blocks_within_lists_lose_their_indent():
    assert blocks('- a\n\n    ```python title="b"\n    if x:\n\n        y\n    ```\n') == [
        Block("python", "if x:\n\n    y\n", 3, None)
    ]


def test_a_comment_before_a_block_says_why_it_is_not_run():
    assert blocks("<!-- not run: it takes a day -->\n```python\nx\n```\n")[0].reason == "it takes a day"
    assert blocks("<!-- not run: it takes a day -->\ntext\n```python\nx\n```\n")[0].reason is None


def test_commands_are_those_of_this_project():
    block = Block(
        "bash", "make demo\nfirstcontact info  # versions\nfirstcontact a \\\n  b # exit status 2\n", 0, None
    )
    assert commands(block) == [
        Command("firstcontact info  # versions", 0),
        Command("firstcontact a    b # exit status 2", 2),
    ]


def test_what_a_console_prints_is_no_command():
    block = Block("console", "$ firstcontact info\nfirstcontact 1.0\n$ ls\n", 0, None)
    assert commands(block) == [Command("firstcontact info", 0)]


def test_a_page_may_show_a_script():
    assert Block("python", '--8<-- "examples/hammer.py"\n', 0, None).script == "examples/hammer.py"
    assert Block("python", "x = 1\n", 0, None).script is None


def test_a_plain_command_needs_no_shell():
    assert Command('firstcontact view a.obj --end-a "0,0,1 euler=0,0,9"  # a page', 0).words == [
        *("view", "a.obj", "--end-a", "0,0,1 euler=0,0,9")
    ]
    assert Command("firstcontact info | head -n 3", 0).words is None
