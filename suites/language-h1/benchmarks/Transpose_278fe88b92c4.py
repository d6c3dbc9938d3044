"""Transpose alone: `python Transpose_278fe88b92c4.py [--threads N] [--json]`.

Benchmark 278fe88b92c4ee19d9104949183cb05eb6dc038f9799cc4a774173421bd5b823,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('278fe88b92c4ee19d9104949183cb05eb6dc038f9799cc4a774173421bd5b823', SUITE, sys.argv[1:]))
