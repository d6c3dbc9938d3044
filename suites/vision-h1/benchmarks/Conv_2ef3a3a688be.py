"""Conv alone: `python Conv_2ef3a3a688be.py [--threads N] [--json]`.

Benchmark 2ef3a3a688be8da77dce7e9c8089798263b5792f3a828143a0e2d5c30bc91389,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2ef3a3a688be8da77dce7e9c8089798263b5792f3a828143a0e2d5c30bc91389', SUITE, sys.argv[1:]))
