"""Conv_Relu alone: `python Conv_Relu_f2d96a13f410.py [--threads N] [--json]`.

Benchmark f2d96a13f410872330ee9596320d521a8cf27240bdb138f386cc9f1d55daa350,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f2d96a13f410872330ee9596320d521a8cf27240bdb138f386cc9f1d55daa350', SUITE, sys.argv[1:]))
