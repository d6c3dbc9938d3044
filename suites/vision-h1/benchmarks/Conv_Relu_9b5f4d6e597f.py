"""Conv_Relu alone: `python Conv_Relu_9b5f4d6e597f.py [--threads N] [--json]`.

Benchmark 9b5f4d6e597f0657dfb4282313c42f37948c55ebdf9bd02c07a2dfc48d990133,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9b5f4d6e597f0657dfb4282313c42f37948c55ebdf9bd02c07a2dfc48d990133', SUITE, sys.argv[1:]))
