"""MatMul alone: `python MatMul_bd6358b987ec.py [--threads N] [--json]`.

Benchmark bd6358b987ec41fb166b88a428bf90844c7d5693eb20f8724a62e61ed01a8a38,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bd6358b987ec41fb166b88a428bf90844c7d5693eb20f8724a62e61ed01a8a38', SUITE, sys.argv[1:]))
