"""Transpose alone: `python Transpose_d36335d1d867.py [--threads N] [--json]`.

Benchmark d36335d1d867fbe3516f4c13e07ee286ad3596da90f1c5ea23b74854b6e4dea9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d36335d1d867fbe3516f4c13e07ee286ad3596da90f1c5ea23b74854b6e4dea9', SUITE, sys.argv[1:]))
