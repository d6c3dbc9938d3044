"""MatMul alone: `python MatMul_1035011f07e9.py [--threads N] [--json]`.

Benchmark 1035011f07e9fe0520d6ced47d04c54c21b293506ea5b8ed72184f18e1eb4eda,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1035011f07e9fe0520d6ced47d04c54c21b293506ea5b8ed72184f18e1eb4eda', SUITE, sys.argv[1:]))
