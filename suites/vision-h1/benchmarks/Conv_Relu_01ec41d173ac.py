"""Conv_Relu alone: `python Conv_Relu_01ec41d173ac.py [--threads N] [--json]`.

Benchmark 01ec41d173aca1240a178f2511514717171f9e0b6c477c5f7197e65f12daa895,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('01ec41d173aca1240a178f2511514717171f9e0b6c477c5f7197e65f12daa895', SUITE, sys.argv[1:]))
