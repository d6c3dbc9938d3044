"""Conv alone: `python Conv_00f8ee89f54a.py [--threads N] [--json]`.

Benchmark 00f8ee89f54a6fdc9957be1fba823d4f7111729fca9cdf81fe172bfbfb82c8fb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('00f8ee89f54a6fdc9957be1fba823d4f7111729fca9cdf81fe172bfbfb82c8fb', SUITE, sys.argv[1:]))
