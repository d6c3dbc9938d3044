"""Conv_Relu alone: `python Conv_Relu_bd87abb7557e.py [--threads N] [--json]`.

Benchmark bd87abb7557e975720a387d70933c86d3ef7303d96e4c28a2816ba38d835ebdd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bd87abb7557e975720a387d70933c86d3ef7303d96e4c28a2816ba38d835ebdd', SUITE, sys.argv[1:]))
