"""Split alone: `python Split_cc0479f6b2dd.py [--threads N] [--json]`.

Benchmark cc0479f6b2dd520d1f2c40db1ade181ef4ffec44bc830dbfa5eec23f4303a3f8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cc0479f6b2dd520d1f2c40db1ade181ef4ffec44bc830dbfa5eec23f4303a3f8', SUITE, sys.argv[1:]))
