"""Conv alone: `python Conv_fbc82f235369.py [--threads N] [--json]`.

Benchmark fbc82f235369db4b326526a8c00c3085227eecb843bc4246b435f498b0a1b653,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fbc82f235369db4b326526a8c00c3085227eecb843bc4246b435f498b0a1b653', SUITE, sys.argv[1:]))
