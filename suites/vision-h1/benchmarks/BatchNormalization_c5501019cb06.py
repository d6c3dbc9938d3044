"""BatchNormalization alone: `python BatchNormalization_c5501019cb06.py [--threads N] [--json]`.

Benchmark c5501019cb061215d1c3f8f415c283e9c13389148e98b63dfc0a28b174447622,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c5501019cb061215d1c3f8f415c283e9c13389148e98b63dfc0a28b174447622', SUITE, sys.argv[1:]))
