"""Relu alone: `python Relu_69a8fb2db1e0.py [--threads N] [--json]`.

Benchmark 69a8fb2db1e042ade39d34e513b6ed46f0718c61c23b25b554b07a3bb52c83e2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('69a8fb2db1e042ade39d34e513b6ed46f0718c61c23b25b554b07a3bb52c83e2', SUITE, sys.argv[1:]))
