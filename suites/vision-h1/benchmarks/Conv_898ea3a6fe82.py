"""Conv alone: `python Conv_898ea3a6fe82.py [--threads N] [--json]`.

Benchmark 898ea3a6fe82ae57cbecfc089223e922f6b28baf930b9848b26c61788dd97d7b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('898ea3a6fe82ae57cbecfc089223e922f6b28baf930b9848b26c61788dd97d7b', SUITE, sys.argv[1:]))
