"""Conv alone: `python Conv_829d21b4afb9.py [--threads N] [--json]`.

Benchmark 829d21b4afb9e56e3dd96a4861c8d73dede4e2178aada77f4f1d5c0ed3db3e29,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('829d21b4afb9e56e3dd96a4861c8d73dede4e2178aada77f4f1d5c0ed3db3e29', SUITE, sys.argv[1:]))
