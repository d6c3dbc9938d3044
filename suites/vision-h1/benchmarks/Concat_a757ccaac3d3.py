"""Concat alone: `python Concat_a757ccaac3d3.py [--threads N] [--json]`.

Benchmark a757ccaac3d3214b23d9bf2926baddb5b15bb5963dbbd651c10eaad156013126,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a757ccaac3d3214b23d9bf2926baddb5b15bb5963dbbd651c10eaad156013126', SUITE, sys.argv[1:]))
