"""Slice alone: `python Slice_26af89283aa8.py [--threads N] [--json]`.

Benchmark 26af89283aa83c54e5413eeca54c676b167eb56757ac5e4a68f64c3c8a84e1cf,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('26af89283aa83c54e5413eeca54c676b167eb56757ac5e4a68f64c3c8a84e1cf', SUITE, sys.argv[1:]))
