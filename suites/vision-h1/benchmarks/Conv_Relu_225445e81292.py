"""Conv_Relu alone: `python Conv_Relu_225445e81292.py [--threads N] [--json]`.

Benchmark 225445e81292f99e55b1a9542a99ba094f7f287f684545b770ded4c27a3333b9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('225445e81292f99e55b1a9542a99ba094f7f287f684545b770ded4c27a3333b9', SUITE, sys.argv[1:]))
