"""MatMul alone: `python MatMul_8daecf0038cd.py [--threads N] [--json]`.

Benchmark 8daecf0038cdd4c29816d15fefd8e7a59374e4942867726fe95b5f1407b952d1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8daecf0038cdd4c29816d15fefd8e7a59374e4942867726fe95b5f1407b952d1', SUITE, sys.argv[1:]))
