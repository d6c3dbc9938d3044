"""MatMul alone: `python MatMul_f8ae514a04cc.py [--threads N] [--json]`.

Benchmark f8ae514a04cc19633005c4dc37bf0cd968949cb30044b2ef11938aaa5cf34ac2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f8ae514a04cc19633005c4dc37bf0cd968949cb30044b2ef11938aaa5cf34ac2', SUITE, sys.argv[1:]))
