"""Conv_Add alone: `python Conv_Add_9fef4ec00edc.py [--threads N] [--json]`.

Benchmark 9fef4ec00edc2062a2855c96c038fac8d9344b1839221687d01eb868ec1834d0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9fef4ec00edc2062a2855c96c038fac8d9344b1839221687d01eb868ec1834d0', SUITE, sys.argv[1:]))
