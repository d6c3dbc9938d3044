"""MatMul_Add alone: `python MatMul_Add_ce0692784dc7.py [--threads N] [--json]`.

Benchmark ce0692784dc73026a4e7ba5392222a62f2ca3714eb4547d18ab08cad25a4a207,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ce0692784dc73026a4e7ba5392222a62f2ca3714eb4547d18ab08cad25a4a207', SUITE, sys.argv[1:]))
