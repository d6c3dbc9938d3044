"""Conv_Relu alone: `python Conv_Relu_b5c1e00de9e9.py [--threads N] [--json]`.

Benchmark b5c1e00de9e9517020c32229f338e7c4b9e0c2bcf0a176896510ae50f3201066,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b5c1e00de9e9517020c32229f338e7c4b9e0c2bcf0a176896510ae50f3201066', SUITE, sys.argv[1:]))
