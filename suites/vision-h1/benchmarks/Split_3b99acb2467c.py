"""Split alone: `python Split_3b99acb2467c.py [--threads N] [--json]`.

Benchmark 3b99acb2467c846a80dd9fa153749319b8a1a0d4ca007a608a518c104f94cd01,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3b99acb2467c846a80dd9fa153749319b8a1a0d4ca007a608a518c104f94cd01', SUITE, sys.argv[1:]))
