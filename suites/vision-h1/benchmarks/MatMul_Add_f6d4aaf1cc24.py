"""MatMul_Add alone: `python MatMul_Add_f6d4aaf1cc24.py [--threads N] [--json]`.

Benchmark f6d4aaf1cc24496f803fa8ad68041709f1ffd2760955e23f7589c7133def889f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f6d4aaf1cc24496f803fa8ad68041709f1ffd2760955e23f7589c7133def889f', SUITE, sys.argv[1:]))
