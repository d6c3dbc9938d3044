"""MatMul alone: `python MatMul_9bba79ce519c.py [--threads N] [--json]`.

Benchmark 9bba79ce519c78a9a43330f6187f60ad41321cc746e0ab0723e08b62c53353d9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9bba79ce519c78a9a43330f6187f60ad41321cc746e0ab0723e08b62c53353d9', SUITE, sys.argv[1:]))
