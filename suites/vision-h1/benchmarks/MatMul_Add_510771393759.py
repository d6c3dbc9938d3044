"""MatMul_Add alone: `python MatMul_Add_510771393759.py [--threads N] [--json]`.

Benchmark 51077139375936430952e93528be6bfec4bd5286514dbfa9b52a59a1371598f7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('51077139375936430952e93528be6bfec4bd5286514dbfa9b52a59a1371598f7', SUITE, sys.argv[1:]))
