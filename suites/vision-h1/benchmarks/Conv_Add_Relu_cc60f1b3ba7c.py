"""Conv_Add_Relu alone: `python Conv_Add_Relu_cc60f1b3ba7c.py [--threads N] [--json]`.

Benchmark cc60f1b3ba7c54b403136af31aaa291e3168a9c14c71890b7a8dd5870ac4e7c5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cc60f1b3ba7c54b403136af31aaa291e3168a9c14c71890b7a8dd5870ac4e7c5', SUITE, sys.argv[1:]))
