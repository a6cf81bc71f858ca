"""`python -m firstcontact`."""

from firstcontact.cli.start import start

start()
