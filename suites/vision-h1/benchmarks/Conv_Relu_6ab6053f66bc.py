"""Conv_Relu alone: `python Conv_Relu_6ab6053f66bc.py [--threads N] [--json]`.

Benchmark 6ab6053f66bc100a72fafd9538cff47704ac242c6be49a4c32ff20de499a7989,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6ab6053f66bc100a72fafd9538cff47704ac242c6be49a4c32ff20de499a7989', SUITE, sys.argv[1:]))
