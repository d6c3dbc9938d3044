"""Transpose alone: `python Transpose_c65283d8ce59.py [--threads N] [--json]`.

Benchmark c65283d8ce5973fe1f731573f492dd6c9fb670700cd48e41555cd7d3a91437e9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c65283d8ce5973fe1f731573f492dd6c9fb670700cd48e41555cd7d3a91437e9', SUITE, sys.argv[1:]))
