"""Conv_Clip alone: `python Conv_Clip_7b1ee9af394d.py [--threads N] [--json]`.

Benchmark 7b1ee9af394d5c223da81874c3a8e8ab7b2eec352f7ac75cf12ef61e0e730557,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7b1ee9af394d5c223da81874c3a8e8ab7b2eec352f7ac75cf12ef61e0e730557', SUITE, sys.argv[1:]))
