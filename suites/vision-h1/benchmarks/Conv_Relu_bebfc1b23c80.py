"""Conv_Relu alone: `python Conv_Relu_bebfc1b23c80.py [--threads N] [--json]`.

Benchmark bebfc1b23c8034b5083166a5e40bda2b474f72e135dd547ffd62d21df036f6b6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bebfc1b23c8034b5083166a5e40bda2b474f72e135dd547ffd62d21df036f6b6', SUITE, sys.argv[1:]))
