"""Conv_Relu alone: `python Conv_Relu_618980f45907.py [--threads N] [--json]`.

Benchmark 618980f459072d972b5d0ff27d9bccf16d1209fa8176294e20593f26525ddd11,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('618980f459072d972b5d0ff27d9bccf16d1209fa8176294e20593f26525ddd11', SUITE, sys.argv[1:]))
