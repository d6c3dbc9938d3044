"""BatchNormalization alone: `python BatchNormalization_3eda2bf006a7.py [--threads N] [--json]`.

Benchmark 3eda2bf006a758086f208cb020cc7c0162d61899eabdc40a3faa33b463e7b5fb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3eda2bf006a758086f208cb020cc7c0162d61899eabdc40a3faa33b463e7b5fb', SUITE, sys.argv[1:]))
