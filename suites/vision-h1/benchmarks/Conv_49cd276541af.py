"""Conv alone: `python Conv_49cd276541af.py [--threads N] [--json]`.

Benchmark 49cd276541af11cd9b94ea32d77c09c384e4991c61f88c5f72f2a404fa892aff,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('49cd276541af11cd9b94ea32d77c09c384e4991c61f88c5f72f2a404fa892aff', SUITE, sys.argv[1:]))
