"""Conv_Relu alone: `python Conv_Relu_ab7fb33180cc.py [--threads N] [--json]`.

Benchmark ab7fb33180cc0c7033c434ea48addda0b291f0ef1880b5f36747672e33440597,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ab7fb33180cc0c7033c434ea48addda0b291f0ef1880b5f36747672e33440597', SUITE, sys.argv[1:]))
