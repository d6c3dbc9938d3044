"""Conv_Gelu alone: `python Conv_Gelu_e8a200dcdfb7.py [--threads N] [--json]`.

Benchmark e8a200dcdfb75042f99ce7c92cbf2eb3eeee23fbbe2b9e5df0e0120e70920014,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e8a200dcdfb75042f99ce7c92cbf2eb3eeee23fbbe2b9e5df0e0120e70920014', SUITE, sys.argv[1:]))
