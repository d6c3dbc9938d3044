"""MatMul_Add alone: `python MatMul_Add_9485b8a6706d.py [--threads N] [--json]`.

Benchmark 9485b8a6706dbe9f3006de95d6380e376c08fb7a76891c2e4e8bd96f689e3c6f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9485b8a6706dbe9f3006de95d6380e376c08fb7a76891c2e4e8bd96f689e3c6f', SUITE, sys.argv[1:]))
