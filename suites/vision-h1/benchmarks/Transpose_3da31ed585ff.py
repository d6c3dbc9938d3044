"""Transpose alone: `python Transpose_3da31ed585ff.py [--threads N] [--json]`.

Benchmark 3da31ed585ffb853a50fab8df7c027b30045dd5011d06aac05d7814f40fab028,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3da31ed585ffb853a50fab8df7c027b30045dd5011d06aac05d7814f40fab028', SUITE, sys.argv[1:]))
