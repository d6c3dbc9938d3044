"""BatchNormalization alone: `python BatchNormalization_2458bb489adf.py [--threads N] [--json]`.

Benchmark 2458bb489adfc9a543060a90c2faa1afef01cebec43643fc9534e9a8176e4492,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2458bb489adfc9a543060a90c2faa1afef01cebec43643fc9534e9a8176e4492', SUITE, sys.argv[1:]))
