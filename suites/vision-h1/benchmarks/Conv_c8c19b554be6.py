"""Conv alone: `python Conv_c8c19b554be6.py [--threads N] [--json]`.

Benchmark c8c19b554be6a2d9e3b1606a99350c23ab8af5e5ba3a3eb43e40f1675af6df63,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c8c19b554be6a2d9e3b1606a99350c23ab8af5e5ba3a3eb43e40f1675af6df63', SUITE, sys.argv[1:]))
