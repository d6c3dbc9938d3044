"""Conv_Add_Relu alone: `python Conv_Add_Relu_64bba2e0b065.py [--threads N] [--json]`.

Benchmark 64bba2e0b065669bbaaab207c426ced30cc0467c4b5c9a53ab440a42f4bbb5e2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('64bba2e0b065669bbaaab207c426ced30cc0467c4b5c9a53ab440a42f4bbb5e2', SUITE, sys.argv[1:]))
