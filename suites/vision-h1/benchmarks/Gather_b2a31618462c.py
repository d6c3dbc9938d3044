"""Gather alone: `python Gather_b2a31618462c.py [--threads N] [--json]`.

Benchmark b2a31618462c191d959304b4fa9b296866cbbc1fa2c074d12b8d710c603eb356,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b2a31618462c191d959304b4fa9b296866cbbc1fa2c074d12b8d710c603eb356', SUITE, sys.argv[1:]))
