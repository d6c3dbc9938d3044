"""Split alone: `python Split_a3e9ea8ad3d2.py [--threads N] [--json]`.

Benchmark a3e9ea8ad3d216e48009ba24881fe6025f3b5bf11a9d6df4cc92e1e3f41bcf91,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a3e9ea8ad3d216e48009ba24881fe6025f3b5bf11a9d6df4cc92e1e3f41bcf91', SUITE, sys.argv[1:]))
