"""Conv_Relu alone: `python Conv_Relu_325616558e78.py [--threads N] [--json]`.

Benchmark 325616558e7885a96a30ab87b06be5fa9f0e473a7c0cac081ff287ba88fe1163,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('325616558e7885a96a30ab87b06be5fa9f0e473a7c0cac081ff287ba88fe1163', SUITE, sys.argv[1:]))
