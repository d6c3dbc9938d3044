"""Transpose alone: `python Transpose_4f112fd9e2b9.py [--threads N] [--json]`.

Benchmark 4f112fd9e2b96adbd2bec0436f1108bfd87d1a05e2c862aaed58b93db7facf19,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4f112fd9e2b96adbd2bec0436f1108bfd87d1a05e2c862aaed58b93db7facf19', SUITE, sys.argv[1:]))
