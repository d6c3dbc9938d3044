"""MatMul alone: `python MatMul_55f0b3f2df43.py [--threads N] [--json]`.

Benchmark 55f0b3f2df43f3094932d326b71d4b1efc7be31190aa352b90431e2e7672af93,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('55f0b3f2df43f3094932d326b71d4b1efc7be31190aa352b90431e2e7672af93', SUITE, sys.argv[1:]))
