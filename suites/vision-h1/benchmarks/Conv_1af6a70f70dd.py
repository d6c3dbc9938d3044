"""Conv alone: `python Conv_1af6a70f70dd.py [--threads N] [--json]`.

Benchmark 1af6a70f70ddaa70e2d3af135e69ef1833167fdc44139b19762efe20bd5ac5c0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1af6a70f70ddaa70e2d3af135e69ef1833167fdc44139b19762efe20bd5ac5c0', SUITE, sys.argv[1:]))
