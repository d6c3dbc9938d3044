"""Conv_Add alone: `python Conv_Add_86a98d819fc4.py [--threads N] [--json]`.

Benchmark 86a98d819fc4feb42bd7ce18b2b8803e2038035f58be71822d45c7994e3426ec,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('86a98d819fc4feb42bd7ce18b2b8803e2038035f58be71822d45c7994e3426ec', SUITE, sys.argv[1:]))
