"""Conv_Add alone: `python Conv_Add_a972d07fd679.py [--threads N] [--json]`.

Benchmark a972d07fd679ac2884315bafcaeedf8c35b13120f16355ff127b78c3f7dd2773,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a972d07fd679ac2884315bafcaeedf8c35b13120f16355ff127b78c3f7dd2773', SUITE, sys.argv[1:]))
