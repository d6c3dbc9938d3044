"""Conv_Add_Relu alone: `python Conv_Add_Relu_40875f6bd097.py [--threads N] [--json]`.

Benchmark 40875f6bd097d957f9ec94b5467a219e206660527e7b4000cce32e649cb9f681,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('40875f6bd097d957f9ec94b5467a219e206660527e7b4000cce32e649cb9f681', SUITE, sys.argv[1:]))
