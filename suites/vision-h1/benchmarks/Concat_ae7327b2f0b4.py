"""Concat alone: `python Concat_ae7327b2f0b4.py [--threads N] [--json]`.

Benchmark ae7327b2f0b44c9d27e5ed1ec65c097dd323c799b7f9d0b612d36c97f020e727,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ae7327b2f0b44c9d27e5ed1ec65c097dd323c799b7f9d0b612d36c97f020e727', SUITE, sys.argv[1:]))
