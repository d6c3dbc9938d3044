"""InstanceNormalization alone: `python InstanceNormalization_d625ac193045.py [--threads N] [--json]`.

Benchmark d625ac1930457fc48e75a32f7ecf7997a8fc20b9470651ec818a7640d78ac6f0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d625ac1930457fc48e75a32f7ecf7997a8fc20b9470651ec818a7640d78ac6f0', SUITE, sys.argv[1:]))
