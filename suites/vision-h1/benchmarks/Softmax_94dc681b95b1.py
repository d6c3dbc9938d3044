"""Softmax alone: `python Softmax_94dc681b95b1.py [--threads N] [--json]`.

Benchmark 94dc681b95b184690dd01b26b115c4f8bf1d1de1cf5f7e9f537d6c67bf512925,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('94dc681b95b184690dd01b26b115c4f8bf1d1de1cf5f7e9f537d6c67bf512925', SUITE, sys.argv[1:]))
