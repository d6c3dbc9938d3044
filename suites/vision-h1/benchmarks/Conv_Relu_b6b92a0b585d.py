"""Conv_Relu alone: `python Conv_Relu_b6b92a0b585d.py [--threads N] [--json]`.

Benchmark b6b92a0b585dcc8a2f1c8eed820f364216820e8e3422bef3fbe34f7694144eec,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b6b92a0b585dcc8a2f1c8eed820f364216820e8e3422bef3fbe34f7694144eec', SUITE, sys.argv[1:]))
