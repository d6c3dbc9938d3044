"""ReduceL2 alone: `python ReduceL2_b8a92ef7b8f7.py [--threads N] [--json]`.

Benchmark b8a92ef7b8f7215e5f248e7fee2ad6d0fbb6d2740c939468dba6949019988e9b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b8a92ef7b8f7215e5f248e7fee2ad6d0fbb6d2740c939468dba6949019988e9b', SUITE, sys.argv[1:]))
