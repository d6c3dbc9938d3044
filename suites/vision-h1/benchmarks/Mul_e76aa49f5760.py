"""Mul alone: `python Mul_e76aa49f5760.py [--threads N] [--json]`.

Benchmark e76aa49f5760831038bedc8d35a02d95f23b158a396b6607844fe40b31d74c47,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e76aa49f5760831038bedc8d35a02d95f23b158a396b6607844fe40b31d74c47', SUITE, sys.argv[1:]))
