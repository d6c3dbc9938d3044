"""Concat alone: `python Concat_52612cdb87ce.py [--threads N] [--json]`.

Benchmark 52612cdb87ce5850c49a05fe0410ff1c7f2eb1fdb6aa86b25c77dc222f8ab61a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('52612cdb87ce5850c49a05fe0410ff1c7f2eb1fdb6aa86b25c77dc222f8ab61a', SUITE, sys.argv[1:]))
