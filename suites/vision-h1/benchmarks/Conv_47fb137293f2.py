"""Conv alone: `python Conv_47fb137293f2.py [--threads N] [--json]`.

Benchmark 47fb137293f255b04b8cd37599cd16bd66187fc8788b99202df18b8f299a5280,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('47fb137293f255b04b8cd37599cd16bd66187fc8788b99202df18b8f299a5280', SUITE, sys.argv[1:]))
