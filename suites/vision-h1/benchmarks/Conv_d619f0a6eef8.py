"""Conv alone: `python Conv_d619f0a6eef8.py [--threads N] [--json]`.

Benchmark d619f0a6eef80170469f1e4fb330619e6361da43458ee250b158cb6ffedd307e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d619f0a6eef80170469f1e4fb330619e6361da43458ee250b158cb6ffedd307e', SUITE, sys.argv[1:]))
