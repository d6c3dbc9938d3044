"""MatMul_Add_Gelu alone: `python MatMul_Add_Gelu_0ce2bbb1a8df.py [--threads N] [--json]`.

Benchmark 0ce2bbb1a8df3009583a9635d3e415a1fa9fc841047b13ca76e4d7aa1b110272,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0ce2bbb1a8df3009583a9635d3e415a1fa9fc841047b13ca76e4d7aa1b110272', SUITE, sys.argv[1:]))
