"""Conv_Relu alone: `python Conv_Relu_dd609ac199d7.py [--threads N] [--json]`.

Benchmark dd609ac199d7a35ff8a6ffe734452517d50149a3bf64220ad3e009e3b1e58c00,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dd609ac199d7a35ff8a6ffe734452517d50149a3bf64220ad3e009e3b1e58c00', SUITE, sys.argv[1:]))
