"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_b51189b66ace.py [--threads N] [--json]`.

Benchmark b51189b66acedabbbbce1a6ed8b310e3d29ce9f76f6c792ef7ccae34d5f6705b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b51189b66acedabbbbce1a6ed8b310e3d29ce9f76f6c792ef7ccae34d5f6705b', SUITE, sys.argv[1:]))
