"""BatchNormalization alone: `python BatchNormalization_8a3ac06d33a9.py [--threads N] [--json]`.

Benchmark 8a3ac06d33a988e8a431a1f1861456d35287760c78b3c65587b70d9073473906,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8a3ac06d33a988e8a431a1f1861456d35287760c78b3c65587b70d9073473906', SUITE, sys.argv[1:]))
