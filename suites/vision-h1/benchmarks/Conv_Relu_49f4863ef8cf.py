"""Conv_Relu alone: `python Conv_Relu_49f4863ef8cf.py [--threads N] [--json]`.

Benchmark 49f4863ef8cf1cdc140cc2d3c21fd5fb0174e3edf0f56bcd61df8a908671d62f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('49f4863ef8cf1cdc140cc2d3c21fd5fb0174e3edf0f56bcd61df8a908671d62f', SUITE, sys.argv[1:]))
