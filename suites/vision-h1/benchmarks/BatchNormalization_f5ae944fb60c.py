"""BatchNormalization alone: `python BatchNormalization_f5ae944fb60c.py [--threads N] [--json]`.

Benchmark f5ae944fb60c7469fa26fbc17a182316d1c623ed35691008c3bea00a3b3c0490,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f5ae944fb60c7469fa26fbc17a182316d1c623ed35691008c3bea00a3b3c0490', SUITE, sys.argv[1:]))
