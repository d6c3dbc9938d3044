"""Slice alone: `python Slice_a957035bf18b.py [--threads N] [--json]`.

Benchmark a957035bf18b4e3a9859389688e088b94eff2ae944ad320f42207acf373b8f20,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a957035bf18b4e3a9859389688e088b94eff2ae944ad320f42207acf373b8f20', SUITE, sys.argv[1:]))
