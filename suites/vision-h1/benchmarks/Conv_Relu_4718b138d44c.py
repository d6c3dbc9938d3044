"""Conv_Relu alone: `python Conv_Relu_4718b138d44c.py [--threads N] [--json]`.

Benchmark 4718b138d44c49fe900015cfc8c7ab962d864b3b099454c2e78fe656e96b222e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4718b138d44c49fe900015cfc8c7ab962d864b3b099454c2e78fe656e96b222e', SUITE, sys.argv[1:]))
