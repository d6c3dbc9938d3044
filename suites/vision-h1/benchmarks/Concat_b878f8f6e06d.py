"""Concat alone: `python Concat_b878f8f6e06d.py [--threads N] [--json]`.

Benchmark b878f8f6e06d2a334669d3f15a48b1de4d00d54a007489cb3177b68763ad0564,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b878f8f6e06d2a334669d3f15a48b1de4d00d54a007489cb3177b68763ad0564', SUITE, sys.argv[1:]))
