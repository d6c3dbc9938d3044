"""Conv_Relu alone: `python Conv_Relu_63b45e82d8ca.py [--threads N] [--json]`.

Benchmark 63b45e82d8ca15fabdb382306eb822928fb693ccf102620411ec7d0157657abc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('63b45e82d8ca15fabdb382306eb822928fb693ccf102620411ec7d0157657abc', SUITE, sys.argv[1:]))
