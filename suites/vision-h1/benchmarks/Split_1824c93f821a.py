"""Split alone: `python Split_1824c93f821a.py [--threads N] [--json]`.

Benchmark 1824c93f821ab58bf96cc952b0e714e47dd35272c973221de3b6f85882d209e7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1824c93f821ab58bf96cc952b0e714e47dd35272c973221de3b6f85882d209e7', SUITE, sys.argv[1:]))
