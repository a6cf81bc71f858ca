"""Ctrl-C before the command has begun, and after it has ended."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no signals to send")

WHILE_LOADING = """
import os, signal, sys

class Pressed:
    "Presses Ctrl-C as the command is loaded."
    def find_spec(self, name, path=None, target=None):
        if name == "firstcontact.cli.main":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Pressed())
"""

AT_THE_END = """
import atexit, os, signal, sys
atexit.register(lambda: os.kill(os.getpid(), signal.SIGINT))
"""

# As in a terminal: what runs in the background has Ctrl-C switched off.
HEARD = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"

IGNORED = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"

START = "sys.argv = ['firstcontact', 'info']\nfrom firstcontact.cli.start import start\nstart()"


@pytest.mark.parametrize(
    ("script", "status"),
    [
        (HEARD + WHILE_LOADING, 130),
        (HEARD + AT_THE_END, 130),
        (IGNORED + WHILE_LOADING, 0),
        ("import sys\n", 0),
    ],
    ids=["while loading", "at the end", "ignored", "never"],
)
def test_ctrl_c_is_quiet(script, status):
    done = subprocess.run([sys.executable, "-c", script + START], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (status, "")


def test_both_ways_in_start_here():
    words = [sys.executable, "-m", "firstcontact", "--version"]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    assert done.stdout.startswith("firstcontact ")
