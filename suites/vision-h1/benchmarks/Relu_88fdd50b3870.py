"""Relu alone: `python Relu_88fdd50b3870.py [--threads N] [--json]`.

Benchmark 88fdd50b387011c4f3d1889ad86ff52994f89eb4a16a69877573ea956cf446d1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('88fdd50b387011c4f3d1889ad86ff52994f89eb4a16a69877573ea956cf446d1', SUITE, sys.argv[1:]))
