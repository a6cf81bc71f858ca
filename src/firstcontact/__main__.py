"""`python -m firstcontact`."""

import sys

from firstcontact.cli.main import main

sys.exit(main())
