"""Conv_Relu alone: `python Conv_Relu_dba097ae634c.py [--threads N] [--json]`.

Benchmark dba097ae634c2392f61d35e6928e4c23ef94b4764b834d546e1bd4d127483535,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dba097ae634c2392f61d35e6928e4c23ef94b4764b834d546e1bd4d127483535', SUITE, sys.argv[1:]))
