"""Conv_Add alone: `python Conv_Add_d69e694bb43f.py [--threads N] [--json]`.

Benchmark d69e694bb43ff4670c1f92f74216dd6f3d60a906f61c81a62029921ac4353d10,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d69e694bb43ff4670c1f92f74216dd6f3d60a906f61c81a62029921ac4353d10', SUITE, sys.argv[1:]))
