"""Conv_HardSigmoid alone: `python Conv_HardSigmoid_3745683e2992.py [--threads N] [--json]`.

Benchmark 3745683e2992ca8edb5d78d365e8979ac45c2bfe20d170e153cf2df1a978f312,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3745683e2992ca8edb5d78d365e8979ac45c2bfe20d170e153cf2df1a978f312', SUITE, sys.argv[1:]))
