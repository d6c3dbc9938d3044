"""Conv_Relu alone: `python Conv_Relu_fe4a96206046.py [--threads N] [--json]`.

Benchmark fe4a9620604648c1bfa3ff8f7d8195f0c3daa475d69fb3226abde53bee5c8abf,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fe4a9620604648c1bfa3ff8f7d8195f0c3daa475d69fb3226abde53bee5c8abf', SUITE, sys.argv[1:]))
