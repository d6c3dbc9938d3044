"""Conv alone: `python Conv_9bd0bbf34766.py [--threads N] [--json]`.

Benchmark 9bd0bbf3476688465e01b3c7f0c009006b7b985fe7e8430a368f00c4ae9b84b4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9bd0bbf3476688465e01b3c7f0c009006b7b985fe7e8430a368f00c4ae9b84b4', SUITE, sys.argv[1:]))
