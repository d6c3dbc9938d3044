"""Gather alone: `python Gather_37b62342b5ad.py [--threads N] [--json]`.

Benchmark 37b62342b5ad614290f3a8c6467c068442fe6756c4824c65e220e5150fd18ac8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('37b62342b5ad614290f3a8c6467c068442fe6756c4824c65e220e5150fd18ac8', SUITE, sys.argv[1:]))
