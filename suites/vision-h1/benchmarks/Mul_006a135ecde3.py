"""Mul alone: `python Mul_006a135ecde3.py [--threads N] [--json]`.

Benchmark 006a135ecde37344687071586ca38ad615d54cbb2edaa41881967862c084e622,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('006a135ecde37344687071586ca38ad615d54cbb2edaa41881967862c084e622', SUITE, sys.argv[1:]))
