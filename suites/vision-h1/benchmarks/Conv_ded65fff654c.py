"""Conv alone: `python Conv_ded65fff654c.py [--threads N] [--json]`.

Benchmark ded65fff654cfa15002c5d1eb970d099162785d78003aa2e94146a07d10f68de,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ded65fff654cfa15002c5d1eb970d099162785d78003aa2e94146a07d10f68de', SUITE, sys.argv[1:]))
