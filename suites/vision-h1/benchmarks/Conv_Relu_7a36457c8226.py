"""Conv_Relu alone: `python Conv_Relu_7a36457c8226.py [--threads N] [--json]`.

Benchmark 7a36457c822637a609951b449a3a19689faa3de02811db851fca26445c974288,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7a36457c822637a609951b449a3a19689faa3de02811db851fca26445c974288', SUITE, sys.argv[1:]))
