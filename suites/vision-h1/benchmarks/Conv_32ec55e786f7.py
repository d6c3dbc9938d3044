"""Conv alone: `python Conv_32ec55e786f7.py [--threads N] [--json]`.

Benchmark 32ec55e786f7ef7f72d42ef91c64a7803b1262173f95c5125d4de747e414bfe5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('32ec55e786f7ef7f72d42ef91c64a7803b1262173f95c5125d4de747e414bfe5', SUITE, sys.argv[1:]))
