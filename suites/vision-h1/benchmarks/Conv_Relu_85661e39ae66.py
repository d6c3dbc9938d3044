"""Conv_Relu alone: `python Conv_Relu_85661e39ae66.py [--threads N] [--json]`.

Benchmark 85661e39ae66c1d3de493feac68a6d780700b0f36469519806ed3540c35be644,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('85661e39ae66c1d3de493feac68a6d780700b0f36469519806ed3540c35be644', SUITE, sys.argv[1:]))
