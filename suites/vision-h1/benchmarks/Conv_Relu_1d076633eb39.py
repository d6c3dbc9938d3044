"""Conv_Relu alone: `python Conv_Relu_1d076633eb39.py [--threads N] [--json]`.

Benchmark 1d076633eb3989339f6cb3174c63af1eb674a39fc6128a1f1e212c79acd5ff3d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1d076633eb3989339f6cb3174c63af1eb674a39fc6128a1f1e212c79acd5ff3d', SUITE, sys.argv[1:]))
