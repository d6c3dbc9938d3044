"""Conv_Relu alone: `python Conv_Relu_17f46bf6084c.py [--threads N] [--json]`.

Benchmark 17f46bf6084c8337a09fcf54334269974999f82ed908fbb1fe7f8a4a293059cd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('17f46bf6084c8337a09fcf54334269974999f82ed908fbb1fe7f8a4a293059cd', SUITE, sys.argv[1:]))
