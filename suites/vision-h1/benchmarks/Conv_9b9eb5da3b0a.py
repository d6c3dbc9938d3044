"""Conv alone: `python Conv_9b9eb5da3b0a.py [--threads N] [--json]`.

Benchmark 9b9eb5da3b0adf80b98be3d57766fe6eba527842bc5e06cb91754290913457fb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9b9eb5da3b0adf80b98be3d57766fe6eba527842bc5e06cb91754290913457fb', SUITE, sys.argv[1:]))
