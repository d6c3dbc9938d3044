"""MatMul alone: `python MatMul_6d6fe7a83321.py [--threads N] [--json]`.

Benchmark 6d6fe7a83321f12521a2544b765b2c5dde4695e454f1b1d9742b4cfb203ee1b4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6d6fe7a83321f12521a2544b765b2c5dde4695e454f1b1d9742b4cfb203ee1b4', SUITE, sys.argv[1:]))
