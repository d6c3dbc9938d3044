"""Conv_Relu alone: `python Conv_Relu_44cd318b1e81.py [--threads N] [--json]`.

Benchmark 44cd318b1e81b803552940604654d8340c89ae39bfb10621e8baf53211a6fda2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('44cd318b1e81b803552940604654d8340c89ae39bfb10621e8baf53211a6fda2', SUITE, sys.argv[1:]))
