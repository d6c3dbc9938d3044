"""Conv_Relu alone: `python Conv_Relu_8ab054d4be03.py [--threads N] [--json]`.

Benchmark 8ab054d4be0364788a2af8f63b53fabd98543044760c0a24caefac204c57714f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8ab054d4be0364788a2af8f63b53fabd98543044760c0a24caefac204c57714f', SUITE, sys.argv[1:]))
