"""Conv alone: `python Conv_1708117a1be1.py [--threads N] [--json]`.

Benchmark 1708117a1be1071aa5178715fe4abedfccf61e6a7119583b1295abc3e9a579d4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1708117a1be1071aa5178715fe4abedfccf61e6a7119583b1295abc3e9a579d4', SUITE, sys.argv[1:]))
