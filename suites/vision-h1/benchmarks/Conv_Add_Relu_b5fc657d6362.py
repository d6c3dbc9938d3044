"""Conv_Add_Relu alone: `python Conv_Add_Relu_b5fc657d6362.py [--threads N] [--json]`.

Benchmark b5fc657d63629527bdf53386c55aa27e6f5adc140cb0204f89de5d80c6373fe7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b5fc657d63629527bdf53386c55aa27e6f5adc140cb0204f89de5d80c6373fe7', SUITE, sys.argv[1:]))
