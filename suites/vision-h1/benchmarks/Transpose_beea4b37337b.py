"""Transpose alone: `python Transpose_beea4b37337b.py [--threads N] [--json]`.

Benchmark beea4b37337be49b261d5ce95f6c990af3a3c06410596a30f888f46054e860e6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('beea4b37337be49b261d5ce95f6c990af3a3c06410596a30f888f46054e860e6', SUITE, sys.argv[1:]))
