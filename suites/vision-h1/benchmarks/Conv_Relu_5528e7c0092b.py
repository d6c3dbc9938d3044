"""Conv_Relu alone: `python Conv_Relu_5528e7c0092b.py [--threads N] [--json]`.

Benchmark 5528e7c0092b03e5fca94f21068be1344d31c4364f983d898b98a136b0d5a05f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5528e7c0092b03e5fca94f21068be1344d31c4364f983d898b98a136b0d5a05f', SUITE, sys.argv[1:]))
