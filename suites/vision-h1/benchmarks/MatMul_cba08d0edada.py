"""MatMul alone: `python MatMul_cba08d0edada.py [--threads N] [--json]`.

Benchmark cba08d0edada622d6584bb286b7c9f39d81ebe6e1a652eeb6a9f948d1b8ac7ac,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cba08d0edada622d6584bb286b7c9f39d81ebe6e1a652eeb6a9f948d1b8ac7ac', SUITE, sys.argv[1:]))
