"""Conv_Relu alone: `python Conv_Relu_e35c971706cf.py [--threads N] [--json]`.

Benchmark e35c971706cf9208e3093b30108b50b037415f0832bec205e958fc6115297733,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e35c971706cf9208e3093b30108b50b037415f0832bec205e958fc6115297733', SUITE, sys.argv[1:]))
