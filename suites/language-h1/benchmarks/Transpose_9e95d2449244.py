"""Transpose alone: `python Transpose_9e95d2449244.py [--threads N] [--json]`.

Benchmark 9e95d2449244d528afba2cfc3af9e999cf34657611db74d2cdfdee7d470ebe2f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9e95d2449244d528afba2cfc3af9e999cf34657611db74d2cdfdee7d470ebe2f', SUITE, sys.argv[1:]))
