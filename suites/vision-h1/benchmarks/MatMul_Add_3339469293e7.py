"""MatMul_Add alone: `python MatMul_Add_3339469293e7.py [--threads N] [--json]`.

Benchmark 3339469293e74405470b6db946ceb9ef14a37c5b42dd6678924c3e30c0d35209,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3339469293e74405470b6db946ceb9ef14a37c5b42dd6678924c3e30c0d35209', SUITE, sys.argv[1:]))
