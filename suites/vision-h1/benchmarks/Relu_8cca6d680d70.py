"""Relu alone: `python Relu_8cca6d680d70.py [--threads N] [--json]`.

Benchmark 8cca6d680d70862ed89d89ac1c8ee3d99eb9008ee0305a727b09b41801bff5a6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8cca6d680d70862ed89d89ac1c8ee3d99eb9008ee0305a727b09b41801bff5a6', SUITE, sys.argv[1:]))
