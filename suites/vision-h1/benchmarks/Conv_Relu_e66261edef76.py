"""Conv_Relu alone: `python Conv_Relu_e66261edef76.py [--threads N] [--json]`.

Benchmark e66261edef767bfae77c155e9221490ac97fed410fd4d87d4ed2a9c278234ba4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e66261edef767bfae77c155e9221490ac97fed410fd4d87d4ed2a9c278234ba4', SUITE, sys.argv[1:]))
