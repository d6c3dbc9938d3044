"""Relu alone: `python Relu_aeb23cdf2be9.py [--threads N] [--json]`.

Benchmark aeb23cdf2be962e2ccf36d24d39b124ee7fe63e6e72fb8eb6ed735a9b1a8d584,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('aeb23cdf2be962e2ccf36d24d39b124ee7fe63e6e72fb8eb6ed735a9b1a8d584', SUITE, sys.argv[1:]))
