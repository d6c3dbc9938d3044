"""Transpose alone: `python Transpose_c5b4a0a37f17.py [--threads N] [--json]`.

Benchmark c5b4a0a37f17816ac12cf86fea1d196468e0ee77c22f66e10333d5fb48827818,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c5b4a0a37f17816ac12cf86fea1d196468e0ee77c22f66e10333d5fb48827818', SUITE, sys.argv[1:]))
