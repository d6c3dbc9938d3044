"""BatchNormalization alone: `python BatchNormalization_19e7eabc7b15.py [--threads N] [--json]`.

Benchmark 19e7eabc7b1560b333463fd4e5941bbff630691930fce4f8fd57e6aa405bdda7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('19e7eabc7b1560b333463fd4e5941bbff630691930fce4f8fd57e6aa405bdda7', SUITE, sys.argv[1:]))
