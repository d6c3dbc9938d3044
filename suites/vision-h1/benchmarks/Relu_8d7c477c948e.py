"""Relu alone: `python Relu_8d7c477c948e.py [--threads N] [--json]`.

Benchmark 8d7c477c948e33e9183b87a22c579743a05285d859fa7dac6530adbdb299e2f3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8d7c477c948e33e9183b87a22c579743a05285d859fa7dac6530adbdb299e2f3', SUITE, sys.argv[1:]))
