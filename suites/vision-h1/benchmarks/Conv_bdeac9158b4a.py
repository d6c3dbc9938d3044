"""Conv alone: `python Conv_bdeac9158b4a.py [--threads N] [--json]`.

Benchmark bdeac9158b4a8d874423fd845642cbcb934a215d0a7d3af137e636acb1cffb6f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bdeac9158b4a8d874423fd845642cbcb934a215d0a7d3af137e636acb1cffb6f', SUITE, sys.argv[1:]))
