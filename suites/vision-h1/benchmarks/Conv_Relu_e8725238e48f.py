"""Conv_Relu alone: `python Conv_Relu_e8725238e48f.py [--threads N] [--json]`.

Benchmark e8725238e48ff4993f862a61e62c4f3770fabfa1341a98b263828de3ec8f34e6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e8725238e48ff4993f862a61e62c4f3770fabfa1341a98b263828de3ec8f34e6', SUITE, sys.argv[1:]))
