"""InstanceNormalization alone: `python InstanceNormalization_49d2b905fad0.py [--threads N] [--json]`.

Benchmark 49d2b905fad046608aadd73266822e064650f6ccf1517f13a72b9ec13d567f6a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('49d2b905fad046608aadd73266822e064650f6ccf1517f13a72b9ec13d567f6a', SUITE, sys.argv[1:]))
