"""ReduceMean alone: `python ReduceMean_04dd53831656.py [--threads N] [--json]`.

Benchmark 04dd53831656848ad3cc8c1bbc2344f0147cc4e65dd0d06b2ca0a4d9199911cd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('04dd53831656848ad3cc8c1bbc2344f0147cc4e65dd0d06b2ca0a4d9199911cd', SUITE, sys.argv[1:]))
