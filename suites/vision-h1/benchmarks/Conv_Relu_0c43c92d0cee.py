"""Conv_Relu alone: `python Conv_Relu_0c43c92d0cee.py [--threads N] [--json]`.

Benchmark 0c43c92d0cee1ed502af03cd596875c142b7b9d48fdaa41b651866adaedfbd38,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0c43c92d0cee1ed502af03cd596875c142b7b9d48fdaa41b651866adaedfbd38', SUITE, sys.argv[1:]))
