"""Transpose alone: `python Transpose_167b477bcd99.py [--threads N] [--json]`.

Benchmark 167b477bcd9994097a6b3006a002d527d135b47788d11aee45750294d3f805bc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('167b477bcd9994097a6b3006a002d527d135b47788d11aee45750294d3f805bc', SUITE, sys.argv[1:]))
