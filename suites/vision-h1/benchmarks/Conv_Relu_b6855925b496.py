"""Conv_Relu alone: `python Conv_Relu_b6855925b496.py [--threads N] [--json]`.

Benchmark b6855925b49631c43f9d5476cb1ec1346e9a6b50ee0b7ae8ce650e8f8cd8c7dc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b6855925b49631c43f9d5476cb1ec1346e9a6b50ee0b7ae8ce650e8f8cd8c7dc', SUITE, sys.argv[1:]))
