"""Slice alone: `python Slice_aa45cd0cf2a7.py [--threads N] [--json]`.

Benchmark aa45cd0cf2a7e522c67cbe993351199f922c70a488791568ac6077c8338721ad,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('aa45cd0cf2a7e522c67cbe993351199f922c70a488791568ac6077c8338721ad', SUITE, sys.argv[1:]))
