"""Conv_Relu alone: `python Conv_Relu_f7cd7d732706.py [--threads N] [--json]`.

Benchmark f7cd7d73270696ba728c4318291ca09865d1f00ba6993775fca7f14d9dda8c55,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f7cd7d73270696ba728c4318291ca09865d1f00ba6993775fca7f14d9dda8c55', SUITE, sys.argv[1:]))
