"""Conv alone: `python Conv_6074362be72e.py [--threads N] [--json]`.

Benchmark 6074362be72e897508800808039c3132aa05b21ee88cd6a71b4f6365ea80fa99,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6074362be72e897508800808039c3132aa05b21ee88cd6a71b4f6365ea80fa99', SUITE, sys.argv[1:]))
