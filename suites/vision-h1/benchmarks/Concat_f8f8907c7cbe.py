"""Concat alone: `python Concat_f8f8907c7cbe.py [--threads N] [--json]`.

Benchmark f8f8907c7cbe1ca865fee516145c21f75fa824b14e3327ad1363154b4566d41c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f8f8907c7cbe1ca865fee516145c21f75fa824b14e3327ad1363154b4566d41c', SUITE, sys.argv[1:]))
