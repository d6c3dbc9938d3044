"""Concat alone: `python Concat_46921b66ac40.py [--threads N] [--json]`.

Benchmark 46921b66ac405042137b85115cf4a6c3e60bc1100e055a4ef8149f40ca7f3ca4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('46921b66ac405042137b85115cf4a6c3e60bc1100e055a4ef8149f40ca7f3ca4', SUITE, sys.argv[1:]))
