"""Split alone: `python Split_fff3f7270063.py [--threads N] [--json]`.

Benchmark fff3f7270063a6824d5ccf85fd630b69e8bea2c8e6b3c407d5e248ba00f80870,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fff3f7270063a6824d5ccf85fd630b69e8bea2c8e6b3c407d5e248ba00f80870', SUITE, sys.argv[1:]))
