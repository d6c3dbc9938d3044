"""BatchNormalization alone: `python BatchNormalization_d8da313b872e.py [--threads N] [--json]`.

Benchmark d8da313b872e8636eb14e1a21bf73caf21b4b74db63afd5f63bce7f19be76b14,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d8da313b872e8636eb14e1a21bf73caf21b4b74db63afd5f63bce7f19be76b14', SUITE, sys.argv[1:]))
