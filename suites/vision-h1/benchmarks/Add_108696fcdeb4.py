"""Add alone: `python Add_108696fcdeb4.py [--threads N] [--json]`.

Benchmark 108696fcdeb455b03cf9ba2a5681d0d25b803826d0d4df0a7ea2af951a415f9f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('108696fcdeb455b03cf9ba2a5681d0d25b803826d0d4df0a7ea2af951a415f9f', SUITE, sys.argv[1:]))
