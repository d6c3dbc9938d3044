"""Conv alone: `python Conv_d77d4642fab5.py [--threads N] [--json]`.

Benchmark d77d4642fab58f6eca158413ce285a1798dac6a19bc1cdb3fc59be93b2f7736d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d77d4642fab58f6eca158413ce285a1798dac6a19bc1cdb3fc59be93b2f7736d', SUITE, sys.argv[1:]))
