"""Conv_Add_Relu alone: `python Conv_Add_Relu_9d2843f12d7a.py [--threads N] [--json]`.

Benchmark 9d2843f12d7aff8a879f87545c87c75c24e1e3eddbb093685e146440f4ced6cc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9d2843f12d7aff8a879f87545c87c75c24e1e3eddbb093685e146440f4ced6cc', SUITE, sys.argv[1:]))
