"""Conv alone: `python Conv_1f3bde27d015.py [--threads N] [--json]`.

Benchmark 1f3bde27d015429567862af68f6bfc1fd99dd94a0b38a0778eb9eeff8f0cd5a9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1f3bde27d015429567862af68f6bfc1fd99dd94a0b38a0778eb9eeff8f0cd5a9', SUITE, sys.argv[1:]))
