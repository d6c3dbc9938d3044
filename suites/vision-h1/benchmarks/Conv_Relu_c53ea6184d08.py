"""Conv_Relu alone: `python Conv_Relu_c53ea6184d08.py [--threads N] [--json]`.

Benchmark c53ea6184d08992446f9610d48b561106488b772047068e2aadfa9643c752cee,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c53ea6184d08992446f9610d48b561106488b772047068e2aadfa9643c752cee', SUITE, sys.argv[1:]))
