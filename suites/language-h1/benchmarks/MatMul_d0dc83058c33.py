"""MatMul alone: `python MatMul_d0dc83058c33.py [--threads N] [--json]`.

Benchmark d0dc83058c33142d5f14a136cc6467db0fa92c8199af74ca21bceab1a814ca4f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d0dc83058c33142d5f14a136cc6467db0fa92c8199af74ca21bceab1a814ca4f', SUITE, sys.argv[1:]))
