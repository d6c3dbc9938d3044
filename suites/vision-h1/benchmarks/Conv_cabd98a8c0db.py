"""Conv alone: `python Conv_cabd98a8c0db.py [--threads N] [--json]`.

Benchmark cabd98a8c0db687952c417264c581c5a5cfe5f8e8dadc14c8594c173abf5b5fe,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cabd98a8c0db687952c417264c581c5a5cfe5f8e8dadc14c8594c173abf5b5fe', SUITE, sys.argv[1:]))
