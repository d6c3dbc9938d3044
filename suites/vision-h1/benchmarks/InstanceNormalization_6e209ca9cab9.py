"""InstanceNormalization alone: `python InstanceNormalization_6e209ca9cab9.py [--threads N] [--json]`.

Benchmark 6e209ca9cab907d0198b2faffe6c0876129f6d1187446b7c2972b0162dbf310f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6e209ca9cab907d0198b2faffe6c0876129f6d1187446b7c2972b0162dbf310f', SUITE, sys.argv[1:]))
