"""Conv alone: `python Conv_c8ae52708f91.py [--threads N] [--json]`.

Benchmark c8ae52708f919e6d805f7da3620f511f0a26c38027d49d44ac44e2d806c5e062,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c8ae52708f919e6d805f7da3620f511f0a26c38027d49d44ac44e2d806c5e062', SUITE, sys.argv[1:]))
