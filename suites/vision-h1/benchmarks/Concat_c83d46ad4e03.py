"""Concat alone: `python Concat_c83d46ad4e03.py [--threads N] [--json]`.

Benchmark c83d46ad4e0352314ec2038854a61d7c2d93adcfd8073eb1a8a58e6b033a0877,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c83d46ad4e0352314ec2038854a61d7c2d93adcfd8073eb1a8a58e6b033a0877', SUITE, sys.argv[1:]))
