"""Slice alone: `python Slice_be669dace5c2.py [--threads N] [--json]`.

Benchmark be669dace5c25a70decd3018afe5c2f50c8161f86cc84b22b27f4234fbcc3425,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('be669dace5c25a70decd3018afe5c2f50c8161f86cc84b22b27f4234fbcc3425', SUITE, sys.argv[1:]))
