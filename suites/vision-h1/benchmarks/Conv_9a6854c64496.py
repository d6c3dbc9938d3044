"""Conv alone: `python Conv_9a6854c64496.py [--threads N] [--json]`.

Benchmark 9a6854c6449615d10b65336373abd8c879b5882467d5864a85c8df938ec5620b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9a6854c6449615d10b65336373abd8c879b5882467d5864a85c8df938ec5620b', SUITE, sys.argv[1:]))
