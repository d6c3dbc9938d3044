"""Conv_Add_Relu alone: `python Conv_Add_Relu_e6eac6828ced.py [--threads N] [--json]`.

Benchmark e6eac6828cede211c0c3304b598e3f157a1e4a43158234c5c933a68920e3bf81,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e6eac6828cede211c0c3304b598e3f157a1e4a43158234c5c933a68920e3bf81', SUITE, sys.argv[1:]))
