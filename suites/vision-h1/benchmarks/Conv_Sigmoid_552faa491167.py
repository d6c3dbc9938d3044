"""Conv_Sigmoid alone: `python Conv_Sigmoid_552faa491167.py [--threads N] [--json]`.

Benchmark 552faa491167a09a082b2d0f94bf5500c2aaecda5cf097e2e9fd86423cb0c0a5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('552faa491167a09a082b2d0f94bf5500c2aaecda5cf097e2e9fd86423cb0c0a5', SUITE, sys.argv[1:]))
