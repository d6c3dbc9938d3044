"""BatchNormalization alone: `python BatchNormalization_d5cde06e9a5b.py [--threads N] [--json]`.

Benchmark d5cde06e9a5bb6d574d1f45f3d6ee43aeada268576d9ef945ec47d81af6f9d78,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d5cde06e9a5bb6d574d1f45f3d6ee43aeada268576d9ef945ec47d81af6f9d78', SUITE, sys.argv[1:]))
