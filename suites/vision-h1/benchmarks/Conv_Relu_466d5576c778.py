"""Conv_Relu alone: `python Conv_Relu_466d5576c778.py [--threads N] [--json]`.

Benchmark 466d5576c778fb0998ee026750be5293509e8540cddc3bfb0fb38857c3e147b2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('466d5576c778fb0998ee026750be5293509e8540cddc3bfb0fb38857c3e147b2', SUITE, sys.argv[1:]))
