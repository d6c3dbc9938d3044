"""Transpose alone: `python Transpose_c6895a6cdc0d.py [--threads N] [--json]`.

Benchmark c6895a6cdc0dfff058f8a0e2bd60e6abac9e04b7d1a5adbd8d2968d62223c945,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c6895a6cdc0dfff058f8a0e2bd60e6abac9e04b7d1a5adbd8d2968d62223c945', SUITE, sys.argv[1:]))
