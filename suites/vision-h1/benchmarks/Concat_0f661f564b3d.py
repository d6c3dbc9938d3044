"""Concat alone: `python Concat_0f661f564b3d.py [--threads N] [--json]`.

Benchmark 0f661f564b3df9773c711669d05ef6fab6aa59c0168f7aaa682491ff940dff7d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0f661f564b3df9773c711669d05ef6fab6aa59c0168f7aaa682491ff940dff7d', SUITE, sys.argv[1:]))
