"""Conv alone: `python Conv_0d2b310d728b.py [--threads N] [--json]`.

Benchmark 0d2b310d728b9691f7e6a316ed7d99294d4d211fe93e3957630c4b7f5cc20faa,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0d2b310d728b9691f7e6a316ed7d99294d4d211fe93e3957630c4b7f5cc20faa', SUITE, sys.argv[1:]))
