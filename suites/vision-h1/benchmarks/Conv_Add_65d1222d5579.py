"""Conv_Add alone: `python Conv_Add_65d1222d5579.py [--threads N] [--json]`.

Benchmark 65d1222d55791542a842f2f09953110eb276b97919d715134e32f995c0811230,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('65d1222d55791542a842f2f09953110eb276b97919d715134e32f995c0811230', SUITE, sys.argv[1:]))
