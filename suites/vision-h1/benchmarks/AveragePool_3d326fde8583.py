"""AveragePool alone: `python AveragePool_3d326fde8583.py [--threads N] [--json]`.

Benchmark 3d326fde858318e51a49d41fe0e977fae1b2aa4ce8846edc4c5762069f7a6012,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3d326fde858318e51a49d41fe0e977fae1b2aa4ce8846edc4c5762069f7a6012', SUITE, sys.argv[1:]))
