"""Conv alone: `python Conv_04d7098df6a4.py [--threads N] [--json]`.

Benchmark 04d7098df6a4831cde9997c750c146109188bea81a9a00722bd551552f834c72,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('04d7098df6a4831cde9997c750c146109188bea81a9a00722bd551552f834c72', SUITE, sys.argv[1:]))
