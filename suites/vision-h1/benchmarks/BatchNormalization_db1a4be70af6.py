"""BatchNormalization alone: `python BatchNormalization_db1a4be70af6.py [--threads N] [--json]`.

Benchmark db1a4be70af64de47b3d58ff30190b9d014fe4e4523343f552abc1e75d97187b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('db1a4be70af64de47b3d58ff30190b9d014fe4e4523343f552abc1e75d97187b', SUITE, sys.argv[1:]))
