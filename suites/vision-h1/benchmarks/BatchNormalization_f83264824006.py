"""BatchNormalization alone: `python BatchNormalization_f83264824006.py [--threads N] [--json]`.

Benchmark f83264824006b05c7c4020ce1efe4bc5b6e78e43f478fe3aa5b42bbe5f912a59,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f83264824006b05c7c4020ce1efe4bc5b6e78e43f478fe3aa5b42bbe5f912a59', SUITE, sys.argv[1:]))
