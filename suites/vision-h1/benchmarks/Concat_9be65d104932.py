"""Concat alone: `python Concat_9be65d104932.py [--threads N] [--json]`.

Benchmark 9be65d1049329c337e1f9d50f15378f96ae8156b496cf4a3d9ba1ce2b3a0d129,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9be65d1049329c337e1f9d50f15378f96ae8156b496cf4a3d9ba1ce2b3a0d129', SUITE, sys.argv[1:]))
