"""BatchNormalization alone: `python BatchNormalization_f691c35aa4fb.py [--threads N] [--json]`.

Benchmark f691c35aa4fbeab2b2a9828386c8566fc983dc6f2c11720f43c39a50ed6a8623,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f691c35aa4fbeab2b2a9828386c8566fc983dc6f2c11720f43c39a50ed6a8623', SUITE, sys.argv[1:]))
