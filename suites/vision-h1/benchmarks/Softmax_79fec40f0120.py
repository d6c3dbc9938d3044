"""Softmax alone: `python Softmax_79fec40f0120.py [--threads N] [--json]`.

Benchmark 79fec40f0120ba5786a69011d1cc48ca6b1ee6f16b3378dec3c7f338566acb6f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('79fec40f0120ba5786a69011d1cc48ca6b1ee6f16b3378dec3c7f338566acb6f', SUITE, sys.argv[1:]))
