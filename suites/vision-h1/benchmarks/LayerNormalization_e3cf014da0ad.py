"""LayerNormalization alone: `python LayerNormalization_e3cf014da0ad.py [--threads N] [--json]`.

Benchmark e3cf014da0ad5b551eb44ca55855203f1c2f19edf7feb0e31af974e42b4983a3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e3cf014da0ad5b551eb44ca55855203f1c2f19edf7feb0e31af974e42b4983a3', SUITE, sys.argv[1:]))
