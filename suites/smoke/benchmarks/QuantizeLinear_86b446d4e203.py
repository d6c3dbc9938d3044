"""QuantizeLinear alone: `python QuantizeLinear_86b446d4e203.py [--threads N] [--json]`.

Benchmark 86b446d4e2039ff54107189283f5556cc5af7bd88bd18fa1184fd2327f4daf94,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('86b446d4e2039ff54107189283f5556cc5af7bd88bd18fa1184fd2327f4daf94', SUITE, sys.argv[1:]))
