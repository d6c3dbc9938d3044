"""Add alone: `python Add_8232f6826dd6.py [--threads N] [--json]`.

Benchmark 8232f6826dd68d3ea141e9379871fc1ea23f99992580ce12c5c9a7d51def9f61,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8232f6826dd68d3ea141e9379871fc1ea23f99992580ce12c5c9a7d51def9f61', SUITE, sys.argv[1:]))
