"""BatchNormalization alone: `python BatchNormalization_e3b0b7d15a3a.py [--threads N] [--json]`.

Benchmark e3b0b7d15a3a410fb1f2bb7c1fdb0e44dcbef22e68646e98cb8b6311739c4eae,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e3b0b7d15a3a410fb1f2bb7c1fdb0e44dcbef22e68646e98cb8b6311739c4eae', SUITE, sys.argv[1:]))
