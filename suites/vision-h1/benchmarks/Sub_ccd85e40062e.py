"""Sub alone: `python Sub_ccd85e40062e.py [--threads N] [--json]`.

Benchmark ccd85e40062ec0991accf401cc45b2c6c3fb6a42222211241b4b090234c9a5cc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ccd85e40062ec0991accf401cc45b2c6c3fb6a42222211241b4b090234c9a5cc', SUITE, sys.argv[1:]))
