"""Conv alone: `python Conv_413d9bcdef8c.py [--threads N] [--json]`.

Benchmark 413d9bcdef8c1329c4fca9457ad5d803a9197f9d7a362cd37769a93cb992a3fa,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('413d9bcdef8c1329c4fca9457ad5d803a9197f9d7a362cd37769a93cb992a3fa', SUITE, sys.argv[1:]))
