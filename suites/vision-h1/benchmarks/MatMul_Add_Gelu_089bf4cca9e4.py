"""MatMul_Add_Gelu alone: `python MatMul_Add_Gelu_089bf4cca9e4.py [--threads N] [--json]`.

Benchmark 089bf4cca9e48941d308cdda4d0c817cfe1c5c8e3e3b60da1e1bb865732cf177,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('089bf4cca9e48941d308cdda4d0c817cfe1c5c8e3e3b60da1e1bb865732cf177', SUITE, sys.argv[1:]))
