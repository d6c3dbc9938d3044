"""Transpose alone: `python Transpose_3e9a90d92abd.py [--threads N] [--json]`.

Benchmark 3e9a90d92abdcd6e1272a0336dae8ba5e8aefd3d391c19f80059b6514f26381b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3e9a90d92abdcd6e1272a0336dae8ba5e8aefd3d391c19f80059b6514f26381b', SUITE, sys.argv[1:]))
