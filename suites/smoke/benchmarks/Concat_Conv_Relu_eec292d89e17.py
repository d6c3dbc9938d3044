"""Concat_Conv_Relu alone: `python Concat_Conv_Relu_eec292d89e17.py [--threads N] [--json]`.

Benchmark eec292d89e1754fc08761e0fd190b9a0a53fc81707213ebdaa7229b9e8b47746,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('eec292d89e1754fc08761e0fd190b9a0a53fc81707213ebdaa7229b9e8b47746', SUITE, sys.argv[1:]))
