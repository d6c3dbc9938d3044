"""MatMul alone: `python MatMul_fa2a1498acde.py [--threads N] [--json]`.

Benchmark fa2a1498acdef490c16f2ceb162ef56778b02873ed3d8f012da9d0b2c912d368,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fa2a1498acdef490c16f2ceb162ef56778b02873ed3d8f012da9d0b2c912d368', SUITE, sys.argv[1:]))
