"""MatMul alone: `python MatMul_0af2b5658993.py [--threads N] [--json]`.

Benchmark 0af2b5658993b5706d0b10420357b865cc1ef2dd599d314d6020ed1d8ece0332,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0af2b5658993b5706d0b10420357b865cc1ef2dd599d314d6020ed1d8ece0332', SUITE, sys.argv[1:]))
