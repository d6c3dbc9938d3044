"""BatchNormalization alone: `python BatchNormalization_81781d155a94.py [--threads N] [--json]`.

Benchmark 81781d155a94e2c9dbcf739b0dd064e47453014795cd48c31c30caec6c38c67c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('81781d155a94e2c9dbcf739b0dd064e47453014795cd48c31c30caec6c38c67c', SUITE, sys.argv[1:]))
