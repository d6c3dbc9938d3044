"""Conv_Relu alone: `python Conv_Relu_118efa2a5640.py [--threads N] [--json]`.

Benchmark 118efa2a56402cd2e6377852a96e1fd6c7fe880c50a435f3c24153ddf3bac8d1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('118efa2a56402cd2e6377852a96e1fd6c7fe880c50a435f3c24153ddf3bac8d1', SUITE, sys.argv[1:]))
