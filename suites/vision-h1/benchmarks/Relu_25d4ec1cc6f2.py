"""Relu alone: `python Relu_25d4ec1cc6f2.py [--threads N] [--json]`.

Benchmark 25d4ec1cc6f26d6cea9f1a583df4c1e55d4813502d24281afa78d2fa3863f4d7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('25d4ec1cc6f26d6cea9f1a583df4c1e55d4813502d24281afa78d2fa3863f4d7', SUITE, sys.argv[1:]))
