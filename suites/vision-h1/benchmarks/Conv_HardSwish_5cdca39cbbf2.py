"""Conv_HardSwish alone: `python Conv_HardSwish_5cdca39cbbf2.py [--threads N] [--json]`.

Benchmark 5cdca39cbbf268dd63eeacf83291063a0b63e693ed8f7e07900547cf02f95566,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5cdca39cbbf268dd63eeacf83291063a0b63e693ed8f7e07900547cf02f95566', SUITE, sys.argv[1:]))
