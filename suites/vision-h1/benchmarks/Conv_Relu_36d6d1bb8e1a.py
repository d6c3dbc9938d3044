"""Conv_Relu alone: `python Conv_Relu_36d6d1bb8e1a.py [--threads N] [--json]`.

Benchmark 36d6d1bb8e1a4f310b6ebdaf6b401f0ee812e89fda5ef3be8e25a5636ce9374d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('36d6d1bb8e1a4f310b6ebdaf6b401f0ee812e89fda5ef3be8e25a5636ce9374d', SUITE, sys.argv[1:]))
