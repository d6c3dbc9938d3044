"""Conv_Add_Relu alone: `python Conv_Add_Relu_817057428a7c.py [--threads N] [--json]`.

Benchmark 817057428a7cf6e71d55c976886068787e76c048d1fbef3f7cac96ef33ae95ca,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('817057428a7cf6e71d55c976886068787e76c048d1fbef3f7cac96ef33ae95ca', SUITE, sys.argv[1:]))
