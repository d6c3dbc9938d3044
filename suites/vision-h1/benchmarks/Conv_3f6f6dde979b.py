"""Conv alone: `python Conv_3f6f6dde979b.py [--threads N] [--json]`.

Benchmark 3f6f6dde979b5731951cdfa2d8afa53f167c8c83e93df47c1d5de2c62d2d1936,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3f6f6dde979b5731951cdfa2d8afa53f167c8c83e93df47c1d5de2c62d2d1936', SUITE, sys.argv[1:]))
