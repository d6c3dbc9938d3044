"""Conv_Add_Relu alone: `python Conv_Add_Relu_5d1be7b23339.py [--threads N] [--json]`.

Benchmark 5d1be7b233393b8a89a5f9572461c4fc4df51aaa5229b0d5540ff5cda8115381,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5d1be7b233393b8a89a5f9572461c4fc4df51aaa5229b0d5540ff5cda8115381', SUITE, sys.argv[1:]))
