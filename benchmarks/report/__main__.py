"""`python benchmarks/report` runs the benchmarks."""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])  # packages are found there: this one, and all others

from report.run import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
