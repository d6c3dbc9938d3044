"""Conv alone: `python Conv_ce62d6a68135.py [--threads N] [--json]`.

Benchmark ce62d6a681353a0b2f6f50b6194a6d5bb9dd2b70ff4a311d2ed5eb430035f907,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ce62d6a681353a0b2f6f50b6194a6d5bb9dd2b70ff4a311d2ed5eb430035f907', SUITE, sys.argv[1:]))
