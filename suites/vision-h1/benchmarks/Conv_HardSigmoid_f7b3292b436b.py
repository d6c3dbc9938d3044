"""Conv_HardSigmoid alone: `python Conv_HardSigmoid_f7b3292b436b.py [--threads N] [--json]`.

Benchmark f7b3292b436ba1e64df70f0bcf1129ec68d1aef66d24edc014909d7bf5827648,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f7b3292b436ba1e64df70f0bcf1129ec68d1aef66d24edc014909d7bf5827648', SUITE, sys.argv[1:]))
