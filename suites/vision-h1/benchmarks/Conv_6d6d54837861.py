"""Conv alone: `python Conv_6d6d54837861.py [--threads N] [--json]`.

Benchmark 6d6d548378616fa46d568b5656e7e7298cc3319c7e530d2366e0877c6c108636,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6d6d548378616fa46d568b5656e7e7298cc3319c7e530d2366e0877c6c108636', SUITE, sys.argv[1:]))
