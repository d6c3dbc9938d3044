"""Concat alone: `python Concat_623340c02858.py [--threads N] [--json]`.

Benchmark 623340c028586c5c85f5bf2f4c73e3c67074dd6ac57bd38440b97e786a32d72b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('623340c028586c5c85f5bf2f4c73e3c67074dd6ac57bd38440b97e786a32d72b', SUITE, sys.argv[1:]))
