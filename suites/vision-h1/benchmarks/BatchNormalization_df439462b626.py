"""BatchNormalization alone: `python BatchNormalization_df439462b626.py [--threads N] [--json]`.

Benchmark df439462b626675f549fb4e1823f66455dcdfd884eb21ffd4429397877e6ecf3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('df439462b626675f549fb4e1823f66455dcdfd884eb21ffd4429397877e6ecf3', SUITE, sys.argv[1:]))
