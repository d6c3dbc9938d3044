"""Concat alone: `python Concat_76fb0246f96a.py [--threads N] [--json]`.

Benchmark 76fb0246f96aa719c92f32eb926673e309d6d62d4d2526546780be7f5535aad1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('76fb0246f96aa719c92f32eb926673e309d6d62d4d2526546780be7f5535aad1', SUITE, sys.argv[1:]))
