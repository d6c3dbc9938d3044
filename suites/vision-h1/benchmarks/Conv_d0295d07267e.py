"""Conv alone: `python Conv_d0295d07267e.py [--threads N] [--json]`.

Benchmark d0295d07267ee0732ba6ae63f609051e0c9ff42e5e9de8b70e80b1118ceb80a2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d0295d07267ee0732ba6ae63f609051e0c9ff42e5e9de8b70e80b1118ceb80a2', SUITE, sys.argv[1:]))
