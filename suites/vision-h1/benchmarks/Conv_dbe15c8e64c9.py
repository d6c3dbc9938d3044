"""Conv alone: `python Conv_dbe15c8e64c9.py [--threads N] [--json]`.

Benchmark dbe15c8e64c97f5e62c6c5bd60ec3476974e9be26c94d46e5b5cb1e7267548ab,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dbe15c8e64c97f5e62c6c5bd60ec3476974e9be26c94d46e5b5cb1e7267548ab', SUITE, sys.argv[1:]))
