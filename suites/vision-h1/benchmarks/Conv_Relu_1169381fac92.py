"""Conv_Relu alone: `python Conv_Relu_1169381fac92.py [--threads N] [--json]`.

Benchmark 1169381fac927f21fd333e94e2d65f05a2a50eae173354fba151acf6a021e2b3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1169381fac927f21fd333e94e2d65f05a2a50eae173354fba151acf6a021e2b3', SUITE, sys.argv[1:]))
