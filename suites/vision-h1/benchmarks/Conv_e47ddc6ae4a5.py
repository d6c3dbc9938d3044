"""Conv alone: `python Conv_e47ddc6ae4a5.py [--threads N] [--json]`.

Benchmark e47ddc6ae4a5c2d9aea792c23515cd6938f7a2f6ac0918f89e2bc72a1180d4e7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e47ddc6ae4a5c2d9aea792c23515cd6938f7a2f6ac0918f89e2bc72a1180d4e7', SUITE, sys.argv[1:]))
