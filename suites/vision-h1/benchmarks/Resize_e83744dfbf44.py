"""Resize alone: `python Resize_e83744dfbf44.py [--threads N] [--json]`.

Benchmark e83744dfbf44440c9c743aad5c180d39a0430bfcdfede32f981a074ccb043514,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e83744dfbf44440c9c743aad5c180d39a0430bfcdfede32f981a074ccb043514', SUITE, sys.argv[1:]))
