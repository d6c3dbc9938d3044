"""Conv alone: `python Conv_0a265968bf22.py [--threads N] [--json]`.

Benchmark 0a265968bf225b4033be8be53d8681630c980d7c4f5a698ed96244eefb2445a6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0a265968bf225b4033be8be53d8681630c980d7c4f5a698ed96244eefb2445a6', SUITE, sys.argv[1:]))
