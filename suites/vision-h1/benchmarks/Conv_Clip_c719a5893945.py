"""Conv_Clip alone: `python Conv_Clip_c719a5893945.py [--threads N] [--json]`.

Benchmark c719a589394529359575e259faa6d04111fd6e96813e1c29a2c063d13a9e7b90,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c719a589394529359575e259faa6d04111fd6e96813e1c29a2c063d13a9e7b90', SUITE, sys.argv[1:]))
