"""Slice alone: `python Slice_80e50351d153.py [--threads N] [--json]`.

Benchmark 80e50351d1533b5283b27cf9910f7a60c6e972b1ae8c59cd88df52b64db27a30,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('80e50351d1533b5283b27cf9910f7a60c6e972b1ae8c59cd88df52b64db27a30', SUITE, sys.argv[1:]))
