"""Conv_Relu alone: `python Conv_Relu_faedf0c177c7.py [--threads N] [--json]`.

Benchmark faedf0c177c774635d5f77aca088fd7c26f76833e5c52cc9b31d99327df7e220,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('faedf0c177c774635d5f77aca088fd7c26f76833e5c52cc9b31d99327df7e220', SUITE, sys.argv[1:]))
