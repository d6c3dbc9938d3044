"""Conv_Relu alone: `python Conv_Relu_312f7a1f79a2.py [--threads N] [--json]`.

Benchmark 312f7a1f79a2af44ff572a278d49367215fc2d4008ea4767151ae895baa1548a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('312f7a1f79a2af44ff572a278d49367215fc2d4008ea4767151ae895baa1548a', SUITE, sys.argv[1:]))
