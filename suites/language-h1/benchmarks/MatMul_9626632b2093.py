"""MatMul alone: `python MatMul_9626632b2093.py [--threads N] [--json]`.

Benchmark 9626632b2093ad8191363b40d08e6dc9c9dd73180873e65d4f55cd8e87097e29,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9626632b2093ad8191363b40d08e6dc9c9dd73180873e65d4f55cd8e87097e29', SUITE, sys.argv[1:]))
