"""Conv alone: `python Conv_ee08ec44d954.py [--threads N] [--json]`.

Benchmark ee08ec44d954caa82d3440b52b7335d4bbc1ea42dfb6e2bde390b58292828d5f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ee08ec44d954caa82d3440b52b7335d4bbc1ea42dfb6e2bde390b58292828d5f', SUITE, sys.argv[1:]))
