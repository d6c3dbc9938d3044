"""Add alone: `python Add_939137862361.py [--threads N] [--json]`.

Benchmark 9391378623615e9eb8eb9bf0031fc0d09024bb4deb60276287a202a23f406d34,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9391378623615e9eb8eb9bf0031fc0d09024bb4deb60276287a202a23f406d34', SUITE, sys.argv[1:]))
