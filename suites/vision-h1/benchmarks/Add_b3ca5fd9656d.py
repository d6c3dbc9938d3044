"""Add alone: `python Add_b3ca5fd9656d.py [--threads N] [--json]`.

Benchmark b3ca5fd9656d17da52c2b21425b34c6a46525dcdb8f0da1268fe6b13efcc15eb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b3ca5fd9656d17da52c2b21425b34c6a46525dcdb8f0da1268fe6b13efcc15eb', SUITE, sys.argv[1:]))
