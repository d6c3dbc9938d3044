"""Conv_Add alone: `python Conv_Add_097465016aff.py [--threads N] [--json]`.

Benchmark 097465016afff811bd139ef6fec4fa6da0c8ceabe687bf2ce667243767624ed5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('097465016afff811bd139ef6fec4fa6da0c8ceabe687bf2ce667243767624ed5', SUITE, sys.argv[1:]))
