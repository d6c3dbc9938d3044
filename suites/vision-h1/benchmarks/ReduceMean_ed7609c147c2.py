"""ReduceMean alone: `python ReduceMean_ed7609c147c2.py [--threads N] [--json]`.

Benchmark ed7609c147c23e18e2942e0bcafc95053ae6b0f469accdd1f7c14912cc6a2002,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ed7609c147c23e18e2942e0bcafc95053ae6b0f469accdd1f7c14912cc6a2002', SUITE, sys.argv[1:]))
