"""Relu alone: `python Relu_b8afcf8ade65.py [--threads N] [--json]`.

Benchmark b8afcf8ade65bdc34a6b86ba5b95276b0322fc601b7069f780aed435f9a2b778,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b8afcf8ade65bdc34a6b86ba5b95276b0322fc601b7069f780aed435f9a2b778', SUITE, sys.argv[1:]))
