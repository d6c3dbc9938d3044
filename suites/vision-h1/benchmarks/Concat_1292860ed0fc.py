"""Concat alone: `python Concat_1292860ed0fc.py [--threads N] [--json]`.

Benchmark 1292860ed0fc22224eb9c6537f25677cf4f8a406f623f17692f36f0151f09ea1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1292860ed0fc22224eb9c6537f25677cf4f8a406f623f17692f36f0151f09ea1', SUITE, sys.argv[1:]))
