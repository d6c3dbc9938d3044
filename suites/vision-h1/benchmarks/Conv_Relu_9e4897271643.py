"""Conv_Relu alone: `python Conv_Relu_9e4897271643.py [--threads N] [--json]`.

Benchmark 9e4897271643a765a61e1d2b77daa1f853e0386c8307155dfb28d08369f0b8b5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9e4897271643a765a61e1d2b77daa1f853e0386c8307155dfb28d08369f0b8b5', SUITE, sys.argv[1:]))
