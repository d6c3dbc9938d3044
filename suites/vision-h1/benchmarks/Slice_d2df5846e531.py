"""Slice alone: `python Slice_d2df5846e531.py [--threads N] [--json]`.

Benchmark d2df5846e53149d47cda56ac7cf0f9db27c2d3902d06d662af8ad819fcddd179,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d2df5846e53149d47cda56ac7cf0f9db27c2d3902d06d662af8ad819fcddd179', SUITE, sys.argv[1:]))
