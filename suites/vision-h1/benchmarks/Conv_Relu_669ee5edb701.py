"""Conv_Relu alone: `python Conv_Relu_669ee5edb701.py [--threads N] [--json]`.

Benchmark 669ee5edb701f644ac2f2a7a9cef01d1804c9301be9a84a4bbc13f49b6e3df98,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('669ee5edb701f644ac2f2a7a9cef01d1804c9301be9a84a4bbc13f49b6e3df98', SUITE, sys.argv[1:]))
