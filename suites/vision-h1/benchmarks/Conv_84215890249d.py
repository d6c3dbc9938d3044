"""Conv alone: `python Conv_84215890249d.py [--threads N] [--json]`.

Benchmark 84215890249dde08357db436db2aa8755649fba4c50e164fbb740df915af0f5d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('84215890249dde08357db436db2aa8755649fba4c50e164fbb740df915af0f5d', SUITE, sys.argv[1:]))
