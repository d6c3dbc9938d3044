"""Concat alone: `python Concat_7c993f46ab74.py [--threads N] [--json]`.

Benchmark 7c993f46ab74b8389f54bf4c70ef8b25587d6f2228f68b014afcee76f875cc1f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7c993f46ab74b8389f54bf4c70ef8b25587d6f2228f68b014afcee76f875cc1f', SUITE, sys.argv[1:]))
