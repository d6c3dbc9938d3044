"""MatMul alone: `python MatMul_178b73e6c1e5.py [--threads N] [--json]`.

Benchmark 178b73e6c1e539a8a6866e6252b031ac80610bf7f0e84325cc5df8bb683c9646,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('178b73e6c1e539a8a6866e6252b031ac80610bf7f0e84325cc5df8bb683c9646', SUITE, sys.argv[1:]))
