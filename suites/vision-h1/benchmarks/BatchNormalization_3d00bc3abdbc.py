"""BatchNormalization alone: `python BatchNormalization_3d00bc3abdbc.py [--threads N] [--json]`.

Benchmark 3d00bc3abdbcf135c9b3bdfa3c47ac9e5e61a543180b2843ae29db7d688d2b47,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3d00bc3abdbcf135c9b3bdfa3c47ac9e5e61a543180b2843ae29db7d688d2b47', SUITE, sys.argv[1:]))
