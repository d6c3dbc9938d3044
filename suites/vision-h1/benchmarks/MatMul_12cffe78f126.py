"""MatMul alone: `python MatMul_12cffe78f126.py [--threads N] [--json]`.

Benchmark 12cffe78f126bd38a596ed458705e220297fa1aa21d639e577c4d16a4e08280a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('12cffe78f126bd38a596ed458705e220297fa1aa21d639e577c4d16a4e08280a', SUITE, sys.argv[1:]))
