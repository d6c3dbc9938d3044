"""Conv_Relu alone: `python Conv_Relu_0f54f593a4cc.py [--threads N] [--json]`.

Benchmark 0f54f593a4cc0c74cdbf478e712b4a25870d82fb4a72b00e7fe826e0a461eaea,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0f54f593a4cc0c74cdbf478e712b4a25870d82fb4a72b00e7fe826e0a461eaea', SUITE, sys.argv[1:]))
