"""Conv alone: `python Conv_5cf327a67ee2.py [--threads N] [--json]`.

Benchmark 5cf327a67ee2f11e1b723b9284dc2c17856b38c981e23856cd65a3ca016632a1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5cf327a67ee2f11e1b723b9284dc2c17856b38c981e23856cd65a3ca016632a1', SUITE, sys.argv[1:]))
