"""MatMul alone: `python MatMul_a9d4ce3080a1.py [--threads N] [--json]`.

Benchmark a9d4ce3080a1d9f7f2e6b3bdc73c9650ff3ed0105a56e161678451396f65e520,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a9d4ce3080a1d9f7f2e6b3bdc73c9650ff3ed0105a56e161678451396f65e520', SUITE, sys.argv[1:]))
