"""Conv_Relu alone: `python Conv_Relu_1a136175a5d8.py [--threads N] [--json]`.

Benchmark 1a136175a5d836801afb99a952170205dc6243f37cca427b091de05df86912af,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1a136175a5d836801afb99a952170205dc6243f37cca427b091de05df86912af', SUITE, sys.argv[1:]))
