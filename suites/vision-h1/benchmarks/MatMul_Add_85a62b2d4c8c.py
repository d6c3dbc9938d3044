"""MatMul_Add alone: `python MatMul_Add_85a62b2d4c8c.py [--threads N] [--json]`.

Benchmark 85a62b2d4c8c079643cac63f5947d2814ed87f9d4f4ed228a66b992b9b3567be,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('85a62b2d4c8c079643cac63f5947d2814ed87f9d4f4ed228a66b992b9b3567be', SUITE, sys.argv[1:]))
