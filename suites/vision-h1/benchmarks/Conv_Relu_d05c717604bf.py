"""Conv_Relu alone: `python Conv_Relu_d05c717604bf.py [--threads N] [--json]`.

Benchmark d05c717604bfff9afc21695356a20614a350c0c76595e04463300f00c3432caa,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d05c717604bfff9afc21695356a20614a350c0c76595e04463300f00c3432caa', SUITE, sys.argv[1:]))
