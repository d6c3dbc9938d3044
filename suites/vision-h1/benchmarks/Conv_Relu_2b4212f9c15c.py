"""Conv_Relu alone: `python Conv_Relu_2b4212f9c15c.py [--threads N] [--json]`.

Benchmark 2b4212f9c15c032f7074bbe0e766635bf757ab2ca27f7689081c8918ae4357f8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2b4212f9c15c032f7074bbe0e766635bf757ab2ca27f7689081c8918ae4357f8', SUITE, sys.argv[1:]))
