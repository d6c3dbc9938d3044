"""Conv_Relu alone: `python Conv_Relu_62c21dab5810.py [--threads N] [--json]`.

Benchmark 62c21dab5810fad66ba945028b5f0cbae1eb9581fc941a9c0a8baf24019c3a76,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('62c21dab5810fad66ba945028b5f0cbae1eb9581fc941a9c0a8baf24019c3a76', SUITE, sys.argv[1:]))
