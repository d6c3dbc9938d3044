"""LayerNormalization alone: `python LayerNormalization_866b6d1f9973.py [--threads N] [--json]`.

Benchmark 866b6d1f99739030ec4dca91fe97a730d53545a4e9fe39ce570acd0ec346cebf,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('866b6d1f99739030ec4dca91fe97a730d53545a4e9fe39ce570acd0ec346cebf', SUITE, sys.argv[1:]))
