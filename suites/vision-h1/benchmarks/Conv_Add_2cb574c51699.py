"""Conv_Add alone: `python Conv_Add_2cb574c51699.py [--threads N] [--json]`.

Benchmark 2cb574c51699d4173530cdeb1c1275fe48a13ebffd44679cd44e9f9121e2e9c5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2cb574c51699d4173530cdeb1c1275fe48a13ebffd44679cd44e9f9121e2e9c5', SUITE, sys.argv[1:]))
