"""HardSwish alone: `python HardSwish_5fda6c8de2e8.py [--threads N] [--json]`.

Benchmark 5fda6c8de2e8b678946f36dfd1f5adfc5ad7f6c6259d57975566d2cef7b77576,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5fda6c8de2e8b678946f36dfd1f5adfc5ad7f6c6259d57975566d2cef7b77576', SUITE, sys.argv[1:]))
