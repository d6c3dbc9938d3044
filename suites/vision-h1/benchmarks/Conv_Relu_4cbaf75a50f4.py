"""Conv_Relu alone: `python Conv_Relu_4cbaf75a50f4.py [--threads N] [--json]`.

Benchmark 4cbaf75a50f4a8e59f48311e6b457ce6cee84c5ee9aa46310e222bfd1e6cecb3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4cbaf75a50f4a8e59f48311e6b457ce6cee84c5ee9aa46310e222bfd1e6cecb3', SUITE, sys.argv[1:]))
