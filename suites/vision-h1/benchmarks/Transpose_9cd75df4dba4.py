"""Transpose alone: `python Transpose_9cd75df4dba4.py [--threads N] [--json]`.

Benchmark 9cd75df4dba406fabf4e38ff33b4e2a1b157b4afff329c85f4d8efe35a5e5a4e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9cd75df4dba406fabf4e38ff33b4e2a1b157b4afff329c85f4d8efe35a5e5a4e', SUITE, sys.argv[1:]))
