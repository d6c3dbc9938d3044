"""Conv_Relu alone: `python Conv_Relu_9cb6f461962b.py [--threads N] [--json]`.

Benchmark 9cb6f461962b26dc709b29367ae2e3fd43bc03b6a227c927719f805d794fc38d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9cb6f461962b26dc709b29367ae2e3fd43bc03b6a227c927719f805d794fc38d', SUITE, sys.argv[1:]))
