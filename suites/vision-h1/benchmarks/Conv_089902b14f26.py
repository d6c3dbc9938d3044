"""Conv alone: `python Conv_089902b14f26.py [--threads N] [--json]`.

Benchmark 089902b14f2681404ed7eb47aa9d9595c46ad759dd6117589dae40413495ab79,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('089902b14f2681404ed7eb47aa9d9595c46ad759dd6117589dae40413495ab79', SUITE, sys.argv[1:]))
