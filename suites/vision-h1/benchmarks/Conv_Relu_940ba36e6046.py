"""Conv_Relu alone: `python Conv_Relu_940ba36e6046.py [--threads N] [--json]`.

Benchmark 940ba36e6046ca31c0caee11266d52289dbb48f3e27ccc657f5587a3a85d32f5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('940ba36e6046ca31c0caee11266d52289dbb48f3e27ccc657f5587a3a85d32f5', SUITE, sys.argv[1:]))
