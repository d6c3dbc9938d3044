"""Relu alone: `python Relu_8bd7b2f89aa8.py [--threads N] [--json]`.

Benchmark 8bd7b2f89aa8e3049afe292a55192582e525245ff327dc96121935ea6c739f9d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8bd7b2f89aa8e3049afe292a55192582e525245ff327dc96121935ea6c739f9d', SUITE, sys.argv[1:]))
