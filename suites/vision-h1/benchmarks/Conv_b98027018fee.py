"""Conv alone: `python Conv_b98027018fee.py [--threads N] [--json]`.

Benchmark b98027018feeb0fd7973352d90e091169230004a11474919ac456ca444552cc3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b98027018feeb0fd7973352d90e091169230004a11474919ac456ca444552cc3', SUITE, sys.argv[1:]))
