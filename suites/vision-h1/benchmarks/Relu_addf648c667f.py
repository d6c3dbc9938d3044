"""Relu alone: `python Relu_addf648c667f.py [--threads N] [--json]`.

Benchmark addf648c667fcb7e77cc56cabc5bc0fd447c6c88ce524959a19f878878bdcf88,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('addf648c667fcb7e77cc56cabc5bc0fd447c6c88ce524959a19f878878bdcf88', SUITE, sys.argv[1:]))
