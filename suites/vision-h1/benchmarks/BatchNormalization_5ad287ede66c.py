"""BatchNormalization alone: `python BatchNormalization_5ad287ede66c.py [--threads N] [--json]`.

Benchmark 5ad287ede66c17b0eb06302ccf30b49981659fa0679d79f8be2104e49512c971,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5ad287ede66c17b0eb06302ccf30b49981659fa0679d79f8be2104e49512c971', SUITE, sys.argv[1:]))
