"""Conv alone: `python Conv_f79ad65e8014.py [--threads N] [--json]`.

Benchmark f79ad65e8014498ef159bf13a63b83df529b1bbb32264b16c3d81e837e0ff05d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f79ad65e8014498ef159bf13a63b83df529b1bbb32264b16c3d81e837e0ff05d', SUITE, sys.argv[1:]))
