"""Relu alone: `python Relu_021b341e0324.py [--threads N] [--json]`.

Benchmark 021b341e0324d98bbc432407a46d7e62ad766406187cfee5e47558a15fc54dcb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('021b341e0324d98bbc432407a46d7e62ad766406187cfee5e47558a15fc54dcb', SUITE, sys.argv[1:]))
