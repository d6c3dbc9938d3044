"""Gemm alone: `python Gemm_6e1debe673ad.py [--threads N] [--json]`.

Benchmark 6e1debe673ad2715bdbc4d0a299ca4de4831fc8e7a8758232d80f88ec0c4c5cf,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6e1debe673ad2715bdbc4d0a299ca4de4831fc8e7a8758232d80f88ec0c4c5cf', SUITE, sys.argv[1:]))
