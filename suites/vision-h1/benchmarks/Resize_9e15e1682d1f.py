"""Resize alone: `python Resize_9e15e1682d1f.py [--threads N] [--json]`.

Benchmark 9e15e1682d1fd60c768af671ab9dd9770915db12dbc2c54040accdb381532c3d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9e15e1682d1fd60c768af671ab9dd9770915db12dbc2c54040accdb381532c3d', SUITE, sys.argv[1:]))
