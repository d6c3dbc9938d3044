"""Conv_Relu alone: `python Conv_Relu_3eaeb40c9b63.py [--threads N] [--json]`.

Benchmark 3eaeb40c9b6362b90aaa78e55e0513cc46412d89fa05379610721e4df1dcad8d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3eaeb40c9b6362b90aaa78e55e0513cc46412d89fa05379610721e4df1dcad8d', SUITE, sys.argv[1:]))
