"""MatMul alone: `python MatMul_17231df7fd06.py [--threads N] [--json]`.

Benchmark 17231df7fd0616762faad25b8b5ffd14fae38bf2e524e6bbc1297a95fa1ce134,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('17231df7fd0616762faad25b8b5ffd14fae38bf2e524e6bbc1297a95fa1ce134', SUITE, sys.argv[1:]))
