"""Transpose alone: `python Transpose_dca4d9146d4f.py [--threads N] [--json]`.

Benchmark dca4d9146d4ff0db7dba5e0fc5c561b68e9bf5f7ff47c1c32c20b6508026db68,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dca4d9146d4ff0db7dba5e0fc5c561b68e9bf5f7ff47c1c32c20b6508026db68', SUITE, sys.argv[1:]))
