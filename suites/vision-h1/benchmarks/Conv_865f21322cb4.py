"""Conv alone: `python Conv_865f21322cb4.py [--threads N] [--json]`.

Benchmark 865f21322cb416ff5b0d7e784ac72da6f38582e1b4a33671ad13795fb3e26ad3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('865f21322cb416ff5b0d7e784ac72da6f38582e1b4a33671ad13795fb3e26ad3', SUITE, sys.argv[1:]))
