"""Gemm alone: `python Gemm_9291c4ec96bb.py [--threads N] [--json]`.

Benchmark 9291c4ec96bbd0170137831dcabd1b41a66f879e692114038dd6e401a6d87047,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9291c4ec96bbd0170137831dcabd1b41a66f879e692114038dd6e401a6d87047', SUITE, sys.argv[1:]))
