"""Mul alone: `python Mul_ab60cd3e841f.py [--threads N] [--json]`.

Benchmark ab60cd3e841f03b7eb8f900a2be4f0beadccda5c4b100ed832266d93478ed13b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ab60cd3e841f03b7eb8f900a2be4f0beadccda5c4b100ed832266d93478ed13b', SUITE, sys.argv[1:]))
