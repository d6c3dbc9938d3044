"""Conv_Relu alone: `python Conv_Relu_b5c9d4059162.py [--threads N] [--json]`.

Benchmark b5c9d4059162e5f31d607621552508b13834b71c62a7d55cfdaaf3a3e036c7d4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b5c9d4059162e5f31d607621552508b13834b71c62a7d55cfdaaf3a3e036c7d4', SUITE, sys.argv[1:]))
