"""Conv alone: `python Conv_d6f3d99410b6.py [--threads N] [--json]`.

Benchmark d6f3d99410b64bdf3f0b93b0b1cf4476a52c5e69c839e3421cf3984c610da03b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d6f3d99410b64bdf3f0b93b0b1cf4476a52c5e69c839e3421cf3984c610da03b', SUITE, sys.argv[1:]))
