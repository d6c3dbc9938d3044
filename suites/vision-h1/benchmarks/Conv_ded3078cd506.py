"""Conv alone: `python Conv_ded3078cd506.py [--threads N] [--json]`.

Benchmark ded3078cd506a48579665e447e8e8e67bae566c618da91bc70dac57259de6757,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ded3078cd506a48579665e447e8e8e67bae566c618da91bc70dac57259de6757', SUITE, sys.argv[1:]))
