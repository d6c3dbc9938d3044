"""Concat alone: `python Concat_45e0b4c862a3.py [--threads N] [--json]`.

Benchmark 45e0b4c862a370300a92ab8a3301cea143da3fb107150ce1133888c6dcb767f8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('45e0b4c862a370300a92ab8a3301cea143da3fb107150ce1133888c6dcb767f8', SUITE, sys.argv[1:]))
