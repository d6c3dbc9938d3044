"""Conv_Relu alone: `python Conv_Relu_157c0a18f501.py [--threads N] [--json]`.

Benchmark 157c0a18f50100132ad9774c49029c2320670289e58a35b494378c2f067f4738,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('157c0a18f50100132ad9774c49029c2320670289e58a35b494378c2f067f4738', SUITE, sys.argv[1:]))
