"""Conv alone: `python Conv_ee5d066da0dc.py [--threads N] [--json]`.

Benchmark ee5d066da0dc67e3093cc89372391e8aeeede679ecda574c458a506726d283a7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ee5d066da0dc67e3093cc89372391e8aeeede679ecda574c458a506726d283a7', SUITE, sys.argv[1:]))
