"""MatMul alone: `python MatMul_2a38ea8d1119.py [--threads N] [--json]`.

Benchmark 2a38ea8d111921d74b1c00c14c83fc1865b5580f71b41a3c112847d69e2bb17b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2a38ea8d111921d74b1c00c14c83fc1865b5580f71b41a3c112847d69e2bb17b', SUITE, sys.argv[1:]))
