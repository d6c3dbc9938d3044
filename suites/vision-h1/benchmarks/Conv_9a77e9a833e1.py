"""Conv alone: `python Conv_9a77e9a833e1.py [--threads N] [--json]`.

Benchmark 9a77e9a833e181286cbab889557a0c2f55a3d27b44d4019e41211a73b5f844dd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9a77e9a833e181286cbab889557a0c2f55a3d27b44d4019e41211a73b5f844dd', SUITE, sys.argv[1:]))
