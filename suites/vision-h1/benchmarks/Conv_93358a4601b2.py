"""Conv alone: `python Conv_93358a4601b2.py [--threads N] [--json]`.

Benchmark 93358a4601b2b6019d64ef2d5108b317a00327ec6ee66eefdee579a35286123a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('93358a4601b2b6019d64ef2d5108b317a00327ec6ee66eefdee579a35286123a', SUITE, sys.argv[1:]))
