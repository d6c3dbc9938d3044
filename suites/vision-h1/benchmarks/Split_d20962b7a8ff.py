"""Split alone: `python Split_d20962b7a8ff.py [--threads N] [--json]`.

Benchmark d20962b7a8ff26d1cd1fa7561c723c607c584327859031c730950f10d35be522,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d20962b7a8ff26d1cd1fa7561c723c607c584327859031c730950f10d35be522', SUITE, sys.argv[1:]))
