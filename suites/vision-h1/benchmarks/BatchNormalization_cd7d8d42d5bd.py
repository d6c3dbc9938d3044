"""BatchNormalization alone: `python BatchNormalization_cd7d8d42d5bd.py [--threads N] [--json]`.

Benchmark cd7d8d42d5bdc1296f2aaa341715dd5b6e4e6c3c50e90d0406a8ef35732d431b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cd7d8d42d5bdc1296f2aaa341715dd5b6e4e6c3c50e90d0406a8ef35732d431b', SUITE, sys.argv[1:]))
