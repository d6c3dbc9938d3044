"""DequantizeLinear_Add_QuantizeLinear alone: `python DequantizeLinear_Add_QuantizeLinear_5d78f2a4b4ba.py [--threads N] [--json]`.

Benchmark 5d78f2a4b4ba888a30289f629485fd22b8782f67ce20841b8566f9953c5c1af7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5d78f2a4b4ba888a30289f629485fd22b8782f67ce20841b8566f9953c5c1af7', SUITE, sys.argv[1:]))
