"""Conv_Add_Relu alone: `python Conv_Add_Relu_b8c02ae2ffe4.py [--threads N] [--json]`.

Benchmark b8c02ae2ffe46fec730e52748ca28e37a9a102179da493fe8751daf87b51a850,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b8c02ae2ffe46fec730e52748ca28e37a9a102179da493fe8751daf87b51a850', SUITE, sys.argv[1:]))
