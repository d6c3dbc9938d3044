"""Conv alone: `python Conv_19520942dbf8.py [--threads N] [--json]`.

Benchmark 19520942dbf80325f09c0fc5f7886ebce28c19e1a548395ffa05d5001f86050e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('19520942dbf80325f09c0fc5f7886ebce28c19e1a548395ffa05d5001f86050e', SUITE, sys.argv[1:]))
