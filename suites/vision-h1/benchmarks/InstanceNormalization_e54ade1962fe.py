"""InstanceNormalization alone: `python InstanceNormalization_e54ade1962fe.py [--threads N] [--json]`.

Benchmark e54ade1962fefd96f2dfbab8017707a4eb3fa631b7dd9d915d89877f7b53438d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e54ade1962fefd96f2dfbab8017707a4eb3fa631b7dd9d915d89877f7b53438d', SUITE, sys.argv[1:]))
