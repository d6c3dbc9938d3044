"""Conv_Relu alone: `python Conv_Relu_b5e3b895eace.py [--threads N] [--json]`.

Benchmark b5e3b895eace717afc5b6ee4463aa2975d5aa7977d14724fd57b5b6748bd2c55,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b5e3b895eace717afc5b6ee4463aa2975d5aa7977d14724fd57b5b6748bd2c55', SUITE, sys.argv[1:]))
