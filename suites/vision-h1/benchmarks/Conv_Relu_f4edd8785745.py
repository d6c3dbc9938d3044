"""Conv_Relu alone: `python Conv_Relu_f4edd8785745.py [--threads N] [--json]`.

Benchmark f4edd878574578b48dbeee2ff101987145efc23505771cd8f20f230ba47fbef9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f4edd878574578b48dbeee2ff101987145efc23505771cd8f20f230ba47fbef9', SUITE, sys.argv[1:]))
