"""Conv_Relu alone: `python Conv_Relu_4050cc9da09e.py [--threads N] [--json]`.

Benchmark 4050cc9da09ef78db6e1eee20b28be3ae2f045041737c9c80ac9b531fcfd6c40,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4050cc9da09ef78db6e1eee20b28be3ae2f045041737c9c80ac9b531fcfd6c40', SUITE, sys.argv[1:]))
