"""Split alone: `python Split_3ba95207e25e.py [--threads N] [--json]`.

Benchmark 3ba95207e25e6ee876eecc4d0ea0119c0e0691211ea14aac1681df3673d7207d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3ba95207e25e6ee876eecc4d0ea0119c0e0691211ea14aac1681df3673d7207d', SUITE, sys.argv[1:]))
