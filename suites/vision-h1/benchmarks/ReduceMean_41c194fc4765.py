"""ReduceMean alone: `python ReduceMean_41c194fc4765.py [--threads N] [--json]`.

Benchmark 41c194fc4765e5e77d6edff368bac845de9efc49c227da6482d71688251c5326,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('41c194fc4765e5e77d6edff368bac845de9efc49c227da6482d71688251c5326', SUITE, sys.argv[1:]))
