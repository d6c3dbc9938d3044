"""BatchNormalization alone: `python BatchNormalization_fa913956892f.py [--threads N] [--json]`.

Benchmark fa913956892f163a5c82e60453d39285c5e029b2f2aaba14cddb902b89cf7836,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fa913956892f163a5c82e60453d39285c5e029b2f2aaba14cddb902b89cf7836', SUITE, sys.argv[1:]))
