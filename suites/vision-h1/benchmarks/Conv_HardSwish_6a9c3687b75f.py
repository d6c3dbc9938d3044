"""Conv_HardSwish alone: `python Conv_HardSwish_6a9c3687b75f.py [--threads N] [--json]`.

Benchmark 6a9c3687b75f7e87948782795e4a84e8caad7aae5f5d6b6c40d0915c9f8435fa,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6a9c3687b75f7e87948782795e4a84e8caad7aae5f5d6b6c40d0915c9f8435fa', SUITE, sys.argv[1:]))
