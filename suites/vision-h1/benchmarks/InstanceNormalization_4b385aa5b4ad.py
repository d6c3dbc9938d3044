"""InstanceNormalization alone: `python InstanceNormalization_4b385aa5b4ad.py [--threads N] [--json]`.

Benchmark 4b385aa5b4ad00d1e96473a5f00a83e99e54be2ceeaaa2e0ee41fbe5dd37ad4f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4b385aa5b4ad00d1e96473a5f00a83e99e54be2ceeaaa2e0ee41fbe5dd37ad4f', SUITE, sys.argv[1:]))
