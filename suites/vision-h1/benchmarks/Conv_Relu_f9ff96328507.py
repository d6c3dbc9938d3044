"""Conv_Relu alone: `python Conv_Relu_f9ff96328507.py [--threads N] [--json]`.

Benchmark f9ff963285075bc95c08eeabdd4b25e9cb7dc63888b45de7093ca98712a88d65,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f9ff963285075bc95c08eeabdd4b25e9cb7dc63888b45de7093ca98712a88d65', SUITE, sys.argv[1:]))
