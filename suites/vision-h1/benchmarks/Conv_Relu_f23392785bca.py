"""Conv_Relu alone: `python Conv_Relu_f23392785bca.py [--threads N] [--json]`.

Benchmark f23392785bcaa5a2c08752d73c517744c493955d22b25e84f340f06c7435283e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f23392785bcaa5a2c08752d73c517744c493955d22b25e84f340f06c7435283e', SUITE, sys.argv[1:]))
