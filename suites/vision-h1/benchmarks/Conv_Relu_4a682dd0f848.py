"""Conv_Relu alone: `python Conv_Relu_4a682dd0f848.py [--threads N] [--json]`.

Benchmark 4a682dd0f848e7e2bc8b441aa23efa5543d7410e5854e31c1e3939ed827acdf9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4a682dd0f848e7e2bc8b441aa23efa5543d7410e5854e31c1e3939ed827acdf9', SUITE, sys.argv[1:]))
