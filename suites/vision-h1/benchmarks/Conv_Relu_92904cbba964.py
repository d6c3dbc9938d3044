"""Conv_Relu alone: `python Conv_Relu_92904cbba964.py [--threads N] [--json]`.

Benchmark 92904cbba964aa3885f7e0ab61484a974d3abc1787b51ef305924e9cb7d13cf1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('92904cbba964aa3885f7e0ab61484a974d3abc1787b51ef305924e9cb7d13cf1', SUITE, sys.argv[1:]))
