"""Conv alone: `python Conv_9e6e98c3df89.py [--threads N] [--json]`.

Benchmark 9e6e98c3df89f03f89346c1e7b61ff14074e27723b6c40554437d48b2136229c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9e6e98c3df89f03f89346c1e7b61ff14074e27723b6c40554437d48b2136229c', SUITE, sys.argv[1:]))
