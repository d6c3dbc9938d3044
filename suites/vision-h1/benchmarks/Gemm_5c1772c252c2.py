"""Gemm alone: `python Gemm_5c1772c252c2.py [--threads N] [--json]`.

Benchmark 5c1772c252c207265f666200cbda41ab0d7bad90f272499f819a2fe106b5e423,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5c1772c252c207265f666200cbda41ab0d7bad90f272499f819a2fe106b5e423', SUITE, sys.argv[1:]))
