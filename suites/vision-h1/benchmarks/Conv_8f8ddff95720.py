"""Conv alone: `python Conv_8f8ddff95720.py [--threads N] [--json]`.

Benchmark 8f8ddff957202fef6db55ba5cd067538bac48622e300fc61c470cf539393c506,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8f8ddff957202fef6db55ba5cd067538bac48622e300fc61c470cf539393c506', SUITE, sys.argv[1:]))
