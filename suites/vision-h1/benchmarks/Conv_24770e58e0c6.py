"""Conv alone: `python Conv_24770e58e0c6.py [--threads N] [--json]`.

Benchmark 24770e58e0c61bddf50096491390ef73d8685d93e54e997327279c86cd4028ab,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('24770e58e0c61bddf50096491390ef73d8685d93e54e997327279c86cd4028ab', SUITE, sys.argv[1:]))
