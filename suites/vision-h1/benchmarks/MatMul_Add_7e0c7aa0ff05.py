"""MatMul_Add alone: `python MatMul_Add_7e0c7aa0ff05.py [--threads N] [--json]`.

Benchmark 7e0c7aa0ff058381e5549a96b9d3a49420fed471ed4392566984245880ebf92f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7e0c7aa0ff058381e5549a96b9d3a49420fed471ed4392566984245880ebf92f', SUITE, sys.argv[1:]))
