"""MatMul alone: `python MatMul_f636030b721e.py [--threads N] [--json]`.

Benchmark f636030b721ee1dff22eea4b3de17e541c69bfaa279b9dc55ba91176d2bfee14,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f636030b721ee1dff22eea4b3de17e541c69bfaa279b9dc55ba91176d2bfee14', SUITE, sys.argv[1:]))
