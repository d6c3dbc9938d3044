"""BatchNormalization alone: `python BatchNormalization_7b99fe09a314.py [--threads N] [--json]`.

Benchmark 7b99fe09a314f8c47a4ddc8c65a359a7a889ccd2696837a4e835d886053d3db3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7b99fe09a314f8c47a4ddc8c65a359a7a889ccd2696837a4e835d886053d3db3', SUITE, sys.argv[1:]))
