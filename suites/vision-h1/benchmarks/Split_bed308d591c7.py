"""Split alone: `python Split_bed308d591c7.py [--threads N] [--json]`.

Benchmark bed308d591c7a27ce6bef58abceb76b78675a6d5aeac9a9ca5fc4311dd841266,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bed308d591c7a27ce6bef58abceb76b78675a6d5aeac9a9ca5fc4311dd841266', SUITE, sys.argv[1:]))
