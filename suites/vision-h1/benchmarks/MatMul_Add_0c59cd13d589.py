"""MatMul_Add alone: `python MatMul_Add_0c59cd13d589.py [--threads N] [--json]`.

Benchmark 0c59cd13d58968cd3b414f69ec64f791b7a84482987cd19fe5ce21ff7b1311d0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0c59cd13d58968cd3b414f69ec64f791b7a84482987cd19fe5ce21ff7b1311d0', SUITE, sys.argv[1:]))
