"""LayerNormalization alone: `python LayerNormalization_75ecb1122727.py [--threads N] [--json]`.

Benchmark 75ecb1122727a80adc98c028051bb1abeda54136c9ad1ed837a8b4ff18975ef3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('75ecb1122727a80adc98c028051bb1abeda54136c9ad1ed837a8b4ff18975ef3', SUITE, sys.argv[1:]))
