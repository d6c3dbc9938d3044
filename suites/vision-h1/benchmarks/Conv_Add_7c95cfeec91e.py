"""Conv_Add alone: `python Conv_Add_7c95cfeec91e.py [--threads N] [--json]`.

Benchmark 7c95cfeec91eebb437abfb5fc9fa115d0f3c60f14b954f4a8e11314498c4d49d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7c95cfeec91eebb437abfb5fc9fa115d0f3c60f14b954f4a8e11314498c4d49d', SUITE, sys.argv[1:]))
