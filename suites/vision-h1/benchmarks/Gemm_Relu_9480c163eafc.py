"""Gemm_Relu alone: `python Gemm_Relu_9480c163eafc.py [--threads N] [--json]`.

Benchmark 9480c163eafcc6c28202b11db03de2887c0ab0bc041d5b406be02a84cabf7487,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9480c163eafcc6c28202b11db03de2887c0ab0bc041d5b406be02a84cabf7487', SUITE, sys.argv[1:]))
