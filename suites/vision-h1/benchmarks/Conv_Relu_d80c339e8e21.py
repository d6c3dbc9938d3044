"""Conv_Relu alone: `python Conv_Relu_d80c339e8e21.py [--threads N] [--json]`.

Benchmark d80c339e8e21cc7af26d91b8cb268fbf727311d589b3a2af8a306681668d9679,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d80c339e8e21cc7af26d91b8cb268fbf727311d589b3a2af8a306681668d9679', SUITE, sys.argv[1:]))
