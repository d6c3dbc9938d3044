"""Transpose alone: `python Transpose_bc7b1bbf1b8c.py [--threads N] [--json]`.

Benchmark bc7b1bbf1b8c792da8853310f1663eb2ff45514670572390a86d5f258b2c53c0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bc7b1bbf1b8c792da8853310f1663eb2ff45514670572390a86d5f258b2c53c0', SUITE, sys.argv[1:]))
