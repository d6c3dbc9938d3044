"""Conv_Relu alone: `python Conv_Relu_6182fc46ab8f.py [--threads N] [--json]`.

Benchmark 6182fc46ab8f582871009b5092ccac866abbc7e56734cba3d6a23a20ca8d616b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6182fc46ab8f582871009b5092ccac866abbc7e56734cba3d6a23a20ca8d616b', SUITE, sys.argv[1:]))
