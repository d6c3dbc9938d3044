"""Conv alone: `python Conv_42cd43c157b0.py [--threads N] [--json]`.

Benchmark 42cd43c157b0347bbad8e8fd140555a660b2e80cc803a6584b2e29eb22670f6b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('42cd43c157b0347bbad8e8fd140555a660b2e80cc803a6584b2e29eb22670f6b', SUITE, sys.argv[1:]))
