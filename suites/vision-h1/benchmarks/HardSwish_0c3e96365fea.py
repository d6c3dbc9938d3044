"""HardSwish alone: `python HardSwish_0c3e96365fea.py [--threads N] [--json]`.

Benchmark 0c3e96365feae24d85611f28d6d9b9ff429dd75bb9c3cf3a2fcef795b079010e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0c3e96365feae24d85611f28d6d9b9ff429dd75bb9c3cf3a2fcef795b079010e', SUITE, sys.argv[1:]))
