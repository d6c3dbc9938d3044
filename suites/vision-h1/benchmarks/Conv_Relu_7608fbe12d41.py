"""Conv_Relu alone: `python Conv_Relu_7608fbe12d41.py [--threads N] [--json]`.

Benchmark 7608fbe12d418588b12d73f6d15c3a2c55e8c724e934e08f4642cfe17f809edc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7608fbe12d418588b12d73f6d15c3a2c55e8c724e934e08f4642cfe17f809edc', SUITE, sys.argv[1:]))
