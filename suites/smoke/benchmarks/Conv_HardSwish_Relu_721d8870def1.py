"""Conv_HardSwish_Relu alone: `python Conv_HardSwish_Relu_721d8870def1.py [--threads N] [--json]`.

Benchmark 721d8870def18a739f2466a427afeadf480700dec63379c0a01ded09c5d7521a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('721d8870def18a739f2466a427afeadf480700dec63379c0a01ded09c5d7521a', SUITE, sys.argv[1:]))
