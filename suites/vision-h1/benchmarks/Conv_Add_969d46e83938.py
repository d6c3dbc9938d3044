"""Conv_Add alone: `python Conv_Add_969d46e83938.py [--threads N] [--json]`.

Benchmark 969d46e839385ff2258ed89eba2719e39c83eccb852d8bb84fe25ea929fdc683,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('969d46e839385ff2258ed89eba2719e39c83eccb852d8bb84fe25ea929fdc683', SUITE, sys.argv[1:]))
