"""Conv_HardSwish alone: `python Conv_HardSwish_2165364130dc.py [--threads N] [--json]`.

Benchmark 2165364130dc7b6dc5015452b4954dcb6e748c8521cfe16bfa0c20e080725479,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2165364130dc7b6dc5015452b4954dcb6e748c8521cfe16bfa0c20e080725479', SUITE, sys.argv[1:]))
