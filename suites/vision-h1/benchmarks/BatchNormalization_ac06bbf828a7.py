"""BatchNormalization alone: `python BatchNormalization_ac06bbf828a7.py [--threads N] [--json]`.

Benchmark ac06bbf828a7c8778e6a4c7f982e8b3b1f81cea13c1aebb6e2b28d9b08d4363c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ac06bbf828a7c8778e6a4c7f982e8b3b1f81cea13c1aebb6e2b28d9b08d4363c', SUITE, sys.argv[1:]))
