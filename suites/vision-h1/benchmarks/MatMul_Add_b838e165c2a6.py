"""MatMul_Add alone: `python MatMul_Add_b838e165c2a6.py [--threads N] [--json]`.

Benchmark b838e165c2a6f2038f103bcc122728e805e10af7296ca74db59249ed551cfdde,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b838e165c2a6f2038f103bcc122728e805e10af7296ca74db59249ed551cfdde', SUITE, sys.argv[1:]))
