"""Relu alone: `python Relu_cd854f16e1d1.py [--threads N] [--json]`.

Benchmark cd854f16e1d12620ee60d78519b873a8494a9f151ff5b47d447afa3e3d7db4ab,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cd854f16e1d12620ee60d78519b873a8494a9f151ff5b47d447afa3e3d7db4ab', SUITE, sys.argv[1:]))
