"""Split alone: `python Split_a8269b7a042d.py [--threads N] [--json]`.

Benchmark a8269b7a042dc622dc81db5c2b9a019ff70901551af91c66941ea5da007fc066,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a8269b7a042dc622dc81db5c2b9a019ff70901551af91c66941ea5da007fc066', SUITE, sys.argv[1:]))
