"""MatMul_Add_Gelu alone: `python MatMul_Add_Gelu_fff4b26e48b2.py [--threads N] [--json]`.

Benchmark fff4b26e48b25f00955f48dca9ee7bbbbe5836ca6e9ec699107d3e372c922403,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fff4b26e48b25f00955f48dca9ee7bbbbe5836ca6e9ec699107d3e372c922403', SUITE, sys.argv[1:]))
