"""BatchNormalization alone: `python BatchNormalization_5ae5aebced6d.py [--threads N] [--json]`.

Benchmark 5ae5aebced6d523462e69b8cbe1f1f000db49d9717822529fba41f1d846e21c0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5ae5aebced6d523462e69b8cbe1f1f000db49d9717822529fba41f1d846e21c0', SUITE, sys.argv[1:]))
