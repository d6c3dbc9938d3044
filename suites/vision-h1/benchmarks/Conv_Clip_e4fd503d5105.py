"""Conv_Clip alone: `python Conv_Clip_e4fd503d5105.py [--threads N] [--json]`.

Benchmark e4fd503d51059242ec818acc255a93d1b589d6d50366f5ced645c9a3dbd58e43,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e4fd503d51059242ec818acc255a93d1b589d6d50366f5ced645c9a3dbd58e43', SUITE, sys.argv[1:]))
