"""Conv_Add_Relu alone: `python Conv_Add_Relu_ef9043b1f18a.py [--threads N] [--json]`.

Benchmark ef9043b1f18ac2a9a1fa894b7afb46c524242f1599d5ca7f2949df8658cbaccc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ef9043b1f18ac2a9a1fa894b7afb46c524242f1599d5ca7f2949df8658cbaccc', SUITE, sys.argv[1:]))
