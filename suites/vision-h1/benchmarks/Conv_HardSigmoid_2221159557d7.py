"""Conv_HardSigmoid alone: `python Conv_HardSigmoid_2221159557d7.py [--threads N] [--json]`.

Benchmark 2221159557d767f45340def7e183dd52dd889d171c5dd8c50420133812eb475a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2221159557d767f45340def7e183dd52dd889d171c5dd8c50420133812eb475a', SUITE, sys.argv[1:]))
