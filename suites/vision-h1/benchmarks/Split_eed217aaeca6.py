"""Split alone: `python Split_eed217aaeca6.py [--threads N] [--json]`.

Benchmark eed217aaeca6c66c43f18030f954f3fcf48fd59f5cdaecd126780447988fdad0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('eed217aaeca6c66c43f18030f954f3fcf48fd59f5cdaecd126780447988fdad0', SUITE, sys.argv[1:]))
