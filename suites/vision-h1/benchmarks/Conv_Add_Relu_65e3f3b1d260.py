"""Conv_Add_Relu alone: `python Conv_Add_Relu_65e3f3b1d260.py [--threads N] [--json]`.

Benchmark 65e3f3b1d2608b9a384889b09a71cd82c94ba09a890086efd3223153fcddf213,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('65e3f3b1d2608b9a384889b09a71cd82c94ba09a890086efd3223153fcddf213', SUITE, sys.argv[1:]))
