"""MatMul alone: `python MatMul_080af400f4aa.py [--threads N] [--json]`.

Benchmark 080af400f4aa00de760783ab26df03a1fe70b334bc4d4d042a60bd305a656b87,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('080af400f4aa00de760783ab26df03a1fe70b334bc4d4d042a60bd305a656b87', SUITE, sys.argv[1:]))
