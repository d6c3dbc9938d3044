"""BatchNormalization alone: `python BatchNormalization_29546e11df82.py [--threads N] [--json]`.

Benchmark 29546e11df82259d065dd4125093af31cc2fd8188fb532d927cf6ada6e85df79,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('29546e11df82259d065dd4125093af31cc2fd8188fb532d927cf6ada6e85df79', SUITE, sys.argv[1:]))
