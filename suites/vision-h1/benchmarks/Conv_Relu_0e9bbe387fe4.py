"""Conv_Relu alone: `python Conv_Relu_0e9bbe387fe4.py [--threads N] [--json]`.

Benchmark 0e9bbe387fe447867ee4b080e0f8300ba9c747044a3418007f5ac20dd0b51ea3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0e9bbe387fe447867ee4b080e0f8300ba9c747044a3418007f5ac20dd0b51ea3', SUITE, sys.argv[1:]))
