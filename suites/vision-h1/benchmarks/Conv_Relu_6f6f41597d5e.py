"""Conv_Relu alone: `python Conv_Relu_6f6f41597d5e.py [--threads N] [--json]`.

Benchmark 6f6f41597d5e4827e9ed8e23ceb5837597eace744584b293cf950181a3f496d5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6f6f41597d5e4827e9ed8e23ceb5837597eace744584b293cf950181a3f496d5', SUITE, sys.argv[1:]))
