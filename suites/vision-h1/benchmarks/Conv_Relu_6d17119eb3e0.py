"""Conv_Relu alone: `python Conv_Relu_6d17119eb3e0.py [--threads N] [--json]`.

Benchmark 6d17119eb3e09046c2727a40e5165b393044f47bd9371c1adfa1d3cf28e7ba85,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6d17119eb3e09046c2727a40e5165b393044f47bd9371c1adfa1d3cf28e7ba85', SUITE, sys.argv[1:]))
