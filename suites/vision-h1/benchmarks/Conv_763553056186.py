"""Conv alone: `python Conv_763553056186.py [--threads N] [--json]`.

Benchmark 76355305618670ed825870cc89cb7be1dc5da802eb08e9220ef60725b224f276,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('76355305618670ed825870cc89cb7be1dc5da802eb08e9220ef60725b224f276', SUITE, sys.argv[1:]))
