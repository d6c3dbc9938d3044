"""Add alone: `python Add_415e8c95c2f8.py [--threads N] [--json]`.

Benchmark 415e8c95c2f8f5098d90671097d268db076c96a665db7a9ccdcba84c8955ac68,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('415e8c95c2f8f5098d90671097d268db076c96a665db7a9ccdcba84c8955ac68', SUITE, sys.argv[1:]))
