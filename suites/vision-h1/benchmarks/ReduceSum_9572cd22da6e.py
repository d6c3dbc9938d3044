"""ReduceSum alone: `python ReduceSum_9572cd22da6e.py [--threads N] [--json]`.

Benchmark 9572cd22da6ef0ead6b0974833166994b078c79be8d9f46ff6ac76a2fae6ef55,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9572cd22da6ef0ead6b0974833166994b078c79be8d9f46ff6ac76a2fae6ef55', SUITE, sys.argv[1:]))
