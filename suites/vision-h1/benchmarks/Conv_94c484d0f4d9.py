"""Conv alone: `python Conv_94c484d0f4d9.py [--threads N] [--json]`.

Benchmark 94c484d0f4d9680bca8d2cc121044547054e5cff16daa4c9ac9a20163348d143,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('94c484d0f4d9680bca8d2cc121044547054e5cff16daa4c9ac9a20163348d143', SUITE, sys.argv[1:]))
