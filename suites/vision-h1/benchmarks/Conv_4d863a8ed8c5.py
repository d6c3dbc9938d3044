"""Conv alone: `python Conv_4d863a8ed8c5.py [--threads N] [--json]`.

Benchmark 4d863a8ed8c570e47f2a58adcf16b0cfaa6240709df8071baa9125aa29fbc8e4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4d863a8ed8c570e47f2a58adcf16b0cfaa6240709df8071baa9125aa29fbc8e4', SUITE, sys.argv[1:]))
