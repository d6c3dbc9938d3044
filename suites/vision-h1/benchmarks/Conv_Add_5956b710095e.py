"""Conv_Add alone: `python Conv_Add_5956b710095e.py [--threads N] [--json]`.

Benchmark 5956b710095e787c1759774692db2b8ad180882415ab37ec25a364d154f048a2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5956b710095e787c1759774692db2b8ad180882415ab37ec25a364d154f048a2', SUITE, sys.argv[1:]))
