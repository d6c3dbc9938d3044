"""HardSwish alone: `python HardSwish_4706239a8af1.py [--threads N] [--json]`.

Benchmark 4706239a8af18c513356c8c077a9e4cd21b8dc4d0afc2497c85247fee1cea730,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4706239a8af18c513356c8c077a9e4cd21b8dc4d0afc2497c85247fee1cea730', SUITE, sys.argv[1:]))
