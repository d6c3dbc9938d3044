"""AveragePool alone: `python AveragePool_b9142a730ce4.py [--threads N] [--json]`.

Benchmark b9142a730ce4939e13a7fee6706923fc9d4a38956cce638d7dc11ce63ca208b9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b9142a730ce4939e13a7fee6706923fc9d4a38956cce638d7dc11ce63ca208b9', SUITE, sys.argv[1:]))
