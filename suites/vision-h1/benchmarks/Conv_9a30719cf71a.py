"""Conv alone: `python Conv_9a30719cf71a.py [--threads N] [--json]`.

Benchmark 9a30719cf71a94e88d0cc3b0f4dcc5509b486e935456b4b348ce49179c5a311a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9a30719cf71a94e88d0cc3b0f4dcc5509b486e935456b4b348ce49179c5a311a', SUITE, sys.argv[1:]))
