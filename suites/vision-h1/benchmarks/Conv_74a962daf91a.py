"""Conv alone: `python Conv_74a962daf91a.py [--threads N] [--json]`.

Benchmark 74a962daf91af7cac9f8cf1c2a2d9c381d2669baad04b0c5b91bfc97dff93fe4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('74a962daf91af7cac9f8cf1c2a2d9c381d2669baad04b0c5b91bfc97dff93fe4', SUITE, sys.argv[1:]))
