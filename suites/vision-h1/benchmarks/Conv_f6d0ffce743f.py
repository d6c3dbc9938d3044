"""Conv alone: `python Conv_f6d0ffce743f.py [--threads N] [--json]`.

Benchmark f6d0ffce743ffa1f4eea0782f7b1691c3068a5ac16ad6a2d06861becc5ff7286,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f6d0ffce743ffa1f4eea0782f7b1691c3068a5ac16ad6a2d06861becc5ff7286', SUITE, sys.argv[1:]))
