"""BatchNormalization alone: `python BatchNormalization_60a2ee03cc20.py [--threads N] [--json]`.

Benchmark 60a2ee03cc20fb64decdd5837294a37cf2ac46ed0ef7dacaeb1c3cb8a118fac9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('60a2ee03cc20fb64decdd5837294a37cf2ac46ed0ef7dacaeb1c3cb8a118fac9', SUITE, sys.argv[1:]))
