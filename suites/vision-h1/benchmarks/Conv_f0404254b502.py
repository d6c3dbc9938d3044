"""Conv alone: `python Conv_f0404254b502.py [--threads N] [--json]`.

Benchmark f0404254b50225eb23f74b8d455b5efcdcb09512bfb47aab5e98a71eb4e80bd1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f0404254b50225eb23f74b8d455b5efcdcb09512bfb47aab5e98a71eb4e80bd1', SUITE, sys.argv[1:]))
