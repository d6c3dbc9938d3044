"""Conv alone: `python Conv_660505418e84.py [--threads N] [--json]`.

Benchmark 660505418e84ac37eea0754efcd7840aed4ad21b102920045fc8b751cb9ec25c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('660505418e84ac37eea0754efcd7840aed4ad21b102920045fc8b751cb9ec25c', SUITE, sys.argv[1:]))
