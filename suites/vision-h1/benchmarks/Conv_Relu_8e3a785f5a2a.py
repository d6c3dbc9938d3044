"""Conv_Relu alone: `python Conv_Relu_8e3a785f5a2a.py [--threads N] [--json]`.

Benchmark 8e3a785f5a2a228d9c452707a722a04efade782680ff93a5a94988cf7e2e6d5a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8e3a785f5a2a228d9c452707a722a04efade782680ff93a5a94988cf7e2e6d5a', SUITE, sys.argv[1:]))
