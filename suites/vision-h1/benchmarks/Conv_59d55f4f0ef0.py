"""Conv alone: `python Conv_59d55f4f0ef0.py [--threads N] [--json]`.

Benchmark 59d55f4f0ef0e717f40e9e6f2f8e32a09b2af30191313555093209a4decd2b59,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('59d55f4f0ef0e717f40e9e6f2f8e32a09b2af30191313555093209a4decd2b59', SUITE, sys.argv[1:]))
