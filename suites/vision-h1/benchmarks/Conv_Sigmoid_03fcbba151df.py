"""Conv_Sigmoid alone: `python Conv_Sigmoid_03fcbba151df.py [--threads N] [--json]`.

Benchmark 03fcbba151dfb620843ee3c31a3f810fcdd256256e252f4361fb82bc3078203d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('03fcbba151dfb620843ee3c31a3f810fcdd256256e252f4361fb82bc3078203d', SUITE, sys.argv[1:]))
