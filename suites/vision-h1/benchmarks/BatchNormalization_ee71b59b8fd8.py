"""BatchNormalization alone: `python BatchNormalization_ee71b59b8fd8.py [--threads N] [--json]`.

Benchmark ee71b59b8fd889c6a8333ce72ae8e322875508990f21a64cfc00b2d76d7178f1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ee71b59b8fd889c6a8333ce72ae8e322875508990f21a64cfc00b2d76d7178f1', SUITE, sys.argv[1:]))
