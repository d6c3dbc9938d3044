"""Conv_Add alone: `python Conv_Add_5d9ba59f22b7.py [--threads N] [--json]`.

Benchmark 5d9ba59f22b7db1b650a669569cb3af90427683bd54d68e31a132bc22508a30a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5d9ba59f22b7db1b650a669569cb3af90427683bd54d68e31a132bc22508a30a', SUITE, sys.argv[1:]))
