"""LayerNormalization alone: `python LayerNormalization_719b9754a29f.py [--threads N] [--json]`.

Benchmark 719b9754a29f7deaa2b69bdcbd1e1dafd563c449e4a97b0124f4633ffbbb17ad,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('719b9754a29f7deaa2b69bdcbd1e1dafd563c449e4a97b0124f4633ffbbb17ad', SUITE, sys.argv[1:]))
