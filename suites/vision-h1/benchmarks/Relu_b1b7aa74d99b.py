"""Relu alone: `python Relu_b1b7aa74d99b.py [--threads N] [--json]`.

Benchmark b1b7aa74d99bd6efdfd6b85f55576d196915c62cad46057d50e544ff53bac957,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b1b7aa74d99bd6efdfd6b85f55576d196915c62cad46057d50e544ff53bac957', SUITE, sys.argv[1:]))
