"""Split alone: `python Split_406e78cff169.py [--threads N] [--json]`.

Benchmark 406e78cff169cdcbab7b483dddc3e931ca7b86ef5c3a62a8b88b8e017b20c8de,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('406e78cff169cdcbab7b483dddc3e931ca7b86ef5c3a62a8b88b8e017b20c8de', SUITE, sys.argv[1:]))
