"""Empty_nodes alone: `python Empty_nodes_b07a4970c0cd.py [--threads N] [--json]`.

Benchmark b07a4970c0cd1c186f251d0f6538a474eb4780fb37d1dcb49c90279443397232,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b07a4970c0cd1c186f251d0f6538a474eb4780fb37d1dcb49c90279443397232', SUITE, sys.argv[1:]))
