"""Conv alone: `python Conv_e40c9631b00b.py [--threads N] [--json]`.

Benchmark e40c9631b00b965efd6d29bad5a5a6bd0fba20f234c53e0fbcf044d90866b6d8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e40c9631b00b965efd6d29bad5a5a6bd0fba20f234c53e0fbcf044d90866b6d8', SUITE, sys.argv[1:]))
