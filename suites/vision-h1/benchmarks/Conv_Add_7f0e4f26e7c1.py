"""Conv_Add alone: `python Conv_Add_7f0e4f26e7c1.py [--threads N] [--json]`.

Benchmark 7f0e4f26e7c1dcd67fad3d5a67549ebd99529aeda8ab02643a79d96f6f2e098b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7f0e4f26e7c1dcd67fad3d5a67549ebd99529aeda8ab02643a79d96f6f2e098b', SUITE, sys.argv[1:]))
