"""Conv_Sigmoid alone: `python Conv_Sigmoid_0afa17738d48.py [--threads N] [--json]`.

Benchmark 0afa17738d4858b690cd1d6823e3faee0dcc01d6fb534327f3b7ab0753b1ec9a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0afa17738d4858b690cd1d6823e3faee0dcc01d6fb534327f3b7ab0753b1ec9a', SUITE, sys.argv[1:]))
