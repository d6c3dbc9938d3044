"""Conv_HardSigmoid alone: `python Conv_HardSigmoid_50a30f1bd37b.py [--threads N] [--json]`.

Benchmark 50a30f1bd37b37e72bbfbcb4cdcd7b806288d9100f8299358cb899af8c3c0930,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('50a30f1bd37b37e72bbfbcb4cdcd7b806288d9100f8299358cb899af8c3c0930', SUITE, sys.argv[1:]))
