"""Conv_Relu alone: `python Conv_Relu_eb5c6e6c9cf8.py [--threads N] [--json]`.

Benchmark eb5c6e6c9cf8fc267b6fe15702831dcc556354407986843cbeb1b3f075b89a3b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('eb5c6e6c9cf8fc267b6fe15702831dcc556354407986843cbeb1b3f075b89a3b', SUITE, sys.argv[1:]))
