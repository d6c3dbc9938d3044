"""Conv_Relu alone: `python Conv_Relu_2df3c83fc979.py [--threads N] [--json]`.

Benchmark 2df3c83fc979ffdc503e9cc5c3e7f996667dcb59dbd63d5e6622a2dd01ec4d88,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2df3c83fc979ffdc503e9cc5c3e7f996667dcb59dbd63d5e6622a2dd01ec4d88', SUITE, sys.argv[1:]))
