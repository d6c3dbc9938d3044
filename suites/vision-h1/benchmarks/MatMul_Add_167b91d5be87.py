"""MatMul_Add alone: `python MatMul_Add_167b91d5be87.py [--threads N] [--json]`.

Benchmark 167b91d5be8732441a19f46b37771d520114aa61b422096e300cbf93674b9fcc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('167b91d5be8732441a19f46b37771d520114aa61b422096e300cbf93674b9fcc', SUITE, sys.argv[1:]))
