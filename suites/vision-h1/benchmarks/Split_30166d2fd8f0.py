"""Split alone: `python Split_30166d2fd8f0.py [--threads N] [--json]`.

Benchmark 30166d2fd8f00b1efebfd2153afb388117b892f1066b7dc48b0e4cdd5bfb9af9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('30166d2fd8f00b1efebfd2153afb388117b892f1066b7dc48b0e4cdd5bfb9af9', SUITE, sys.argv[1:]))
