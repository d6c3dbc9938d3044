"""BatchNormalization alone: `python BatchNormalization_7eef7b645e91.py [--threads N] [--json]`.

Benchmark 7eef7b645e91311d104ca03bb05e6319aa00074223ffdea38f07782802dea4b6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7eef7b645e91311d104ca03bb05e6319aa00074223ffdea38f07782802dea4b6', SUITE, sys.argv[1:]))
